-- Which user made a sign-in link; null for whoever runs the server, and for links from before.
ALTER TABLE sign_in_links ADD COLUMN made_by TEXT;

-- Which user made the link that a session began with, if a user did.
ALTER TABLE sessions ADD COLUMN link_by TEXT;

// Has a server listen on a free port of this machine alone, whatever port it names, and says which it is.
import http from 'node:http';

const listen = http.Server.prototype.listen;
http.Server.prototype.listen = function (_port, ...rest) {
  this.once('listening', () => console.error(`port ${this.address().port}`));
  return listen.call(this, { host: '127.0.0.1', port: 0 }, ...rest);
};

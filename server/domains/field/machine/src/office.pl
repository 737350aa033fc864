# The office: says hello by TCP on port 80 of each of its addresses, and sends the device something to capture.
use strict;
use warnings;
use IO::Socket::INET;
use Socket;

my $beacon = fork // die;
if ($beacon == 0) {
    socket(my $out, PF_INET, SOCK_DGRAM, 17) or die;
    while (1) {
        send($out, 'beacon', 0, sockaddr_in(9, inet_aton('10.77.0.2')));
        select(undef, undef, undef, 0.1);
    }
}
my $listener = IO::Socket::INET->new(LocalPort => 80, Listen => 9, ReuseAddr => 1) or die;
while (my $client = $listener->accept) {
    print $client "hello\n";
    close $client;
}

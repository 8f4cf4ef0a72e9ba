# shellcheck shell=bash
# The mail server of ./dev drill mails: a Postfix of its own, which demands TLS and delivers each mail to one folder.

install_postfix() {
  ((EUID == 0)) || die "./dev drill mails must run as root, because Postfix changes its user."
  install_missing postfix "mail server" test -x /usr/lib/postfix/sbin/master
}

configure_postfix() { # in a folder that the users of Postfix can enter
  local folder
  folder=$(mktemp -d /tmp/guildhall-postfix.XXXXXX)
  export DRILL_POSTFIX=$folder
  chmod 755 "$folder"
  install -d -m 755 "$folder"/{queue,tls}
  install -d -o postfix "$folder"/{data,mails}
  make_mail_certificate "$folder/tls"
  cat >"$folder/main.cf" <<TEXT
compatibility_level = 3.6
queue_directory = $folder/queue
data_directory = $folder/data
maillog_file = $folder/log
maillog_file_prefixes = $folder
myhostname = localhost
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
mynetworks =
virtual_mailbox_domains = example.org
virtual_mailbox_base = $folder/mails
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:$(id -u postfix)
virtual_gid_maps = static:$(id -g postfix)
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = $folder/tls/server.pem
smtpd_tls_key_file = $folder/tls/server.key
smtpd_recipient_restrictions = reject_unauth_destination, check_policy_service inet:127.0.0.1:$DEV_POLICY_PORT
smtpd_end_of_data_restrictions = check_policy_service inet:127.0.0.1:$DEV_POLICY_PORT
TEXT
  cat >"$folder/master.cf" <<TEXT
127.0.0.1:$DEV_POSTFIX_PORT inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
virtual unix - n n - - virtual
retry unix - - n - - error
error unix - - n - - error
postlog unix-dgram n - n - 1 postlogd
TEXT
  postfix -c "$folder" check
}

# Workers trust the authority of this run alone (SSL_CERT_FILE).
make_mail_certificate() { # make_mail_certificate FOLDER
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=drill of mails' -keyout "$1/authority.key" -out "$1/authority.pem" 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$1/server.key" -out "$1/server.csr" 2>/dev/null
  openssl x509 -req -days 2 -in "$1/server.csr" -CA "$1/authority.pem" -CAkey "$1/authority.key" -CAcreateserial \
    -extfile <(echo subjectAltName=DNS:localhost) -out "$1/server.pem" 2>/dev/null
}

start_postfix() { start_process postfix /usr/lib/postfix/sbin/master -c "$DRILL_POSTFIX" -s; }

#!/bin/sh
# Writes what compose.yaml reads, once: certificates of an authority of this project's own, keys and passwords.
# Usage: make-secrets.sh [directory]; default: the one of this file. Needs openssl.
set -eu
umask 077
directory=${1:-$(dirname "$0")}
secrets=$directory/secrets
[ ! -e "$secrets" ] || { echo "$secrets is there already: remove it first" >&2; exit 1; }
mkdir -p "$secrets"

secret() { openssl rand -hex 32; }

# certificate <name> <DNS name>...: writes <name>.pem and <name>-key.pem.
certificate() {
  name=$1
  shift
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
    -keyout "$secrets/$name-key.pem" -out "$secrets/$name.csr" 2>/dev/null
  printf 'subjectAltName=%s\n' "$(printf 'DNS:%s,' "$@" | sed 's/,$//')" >"$secrets/$name.ext"
  openssl x509 -req -days 825 -in "$secrets/$name.csr" -CA "$secrets/ca.pem" -CAkey "$secrets/ca-key.pem" \
    -CAcreateserial -extfile "$secrets/$name.ext" -out "$secrets/$name.pem" 2>/dev/null
  rm "$secrets/$name.csr" "$secrets/$name.ext"
}

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=agent-monitor compose" \
  -keyout "$secrets/ca-key.pem" -out "$secrets/ca.pem" 2>/dev/null
certificate gateway localhost gateway-1 gateway-2
certificate viewer localhost
certificate postgres localhost postgres
# HAProxy reads a certificate and its key from one file.
cat "$secrets/viewer.pem" "$secrets/viewer-key.pem" >"$secrets/viewer-pair.pem"

printf '[{ "organizationId": "first-bank", "key": "%s" }]\n' "$(secret)" >"$secrets/organizations.json"
printf '[{ "name": "ann", "role": "admin", "key": "%s" }]\n' "$(secret)" >"$secrets/users.json"
secret >"$secrets/audit-key"
printf 'POSTGRES_PASSWORD=%s\nPLATFORM_API_KEY=%s\n' "$(secret)" "$(secret)" >"$directory/.env"

# The users in the containers are others than the one of this machine; the directory is closed for everybody else.
chmod 644 "$secrets"/*
chmod 600 "$secrets/ca-key.pem"
echo "wrote $secrets and $directory/.env"

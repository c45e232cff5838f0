#!/bin/sh
# Makes the role with which postgres-exporter reads the server's figures, and its password, in a file that only this script
# and the exporter see. compose runs this whenever the monitoring is started. The role can read no game and write nothing.
set -eu

password_file=${1:?where the password is kept}
[ -s "$password_file" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$password_file"
PASSWORD=$(cat "$password_file")
export PASSWORD

psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<'SQL'
SET client_min_messages = warning;
\getenv password PASSWORD
SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'escoba_monitor') AS missing \gset
\if :missing
CREATE ROLE escoba_monitor;
\endif
ALTER ROLE escoba_monitor LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 5 PASSWORD :'password';
ALTER ROLE escoba_monitor SET default_transaction_read_only = on;
GRANT pg_monitor TO escoba_monitor;
SQL

FROM python:3 AS base
RUN <<EOT
set -e
pip install x
EOT
COPY <<EOF /etc/conf
a=1
EOF
from base as last
env low=1
cmd run
THIS IS WRONG
FROM scratch

#!/bin/sh
# Gives the place of the primary to a replica when the disk of this node is nearly full. Patroni itself does not look at disks:
# a primary whose disk is full answers, so it would stay the primary and refuse every write.
#
#   leave-full-disk.sh <file of Patroni> <name of this node> <data folder> <MB that must be free>
#
# It looks every two seconds, until it is ended. docs/operating/cluster.md has the unit for systemd.
set -eu
file=$1 node=$2 folder=$3 minimum=$4

while sleep 2; do
  free=$(df --output=avail -m "$folder" | tail -n 1)
  if [ "$free" -lt "$minimum" ]; then
    # On a replica it is refused, because the named node is not the leader.
    patronictl --config-file "$file" switchover --leader "$node" --force || true
  fi
done

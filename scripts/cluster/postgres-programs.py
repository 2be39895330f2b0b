#!/usr/bin/python3
"""The programs of PostgreSQL 18 that Patroni calls and that the npm package of the server does not have.

The name under which this file is called says which one it is: pg_isready, pg_controldata or copy_leader. It runs as the
user of the servers, with the Python and the psycopg2 that Patroni from Debian needs anyway.
"""
import os
import shutil
import struct
import sys

STATES = ['starting up', 'shut down', 'shut down in recovery', 'shutting down', 'in crash recovery',
          'in archive recovery', 'in production']

# Fields of the control file that Patroni reads, with their places. Source: src/include/catalog/pg_control.h of PostgreSQL 18.
FIELDS = [
    ('Database system identifier', 0, 'Q'),
    ('pg_control version number', 8, 'I'),
    ('Catalog version number', 12, 'I'),
    ('Latest checkpoint location', 32, 'LSN'),
    ("Latest checkpoint's REDO location", 40, 'LSN'),
    ("Latest checkpoint's TimeLineID", 48, 'I'),
    ("Latest checkpoint's PrevTimeLineID", 52, 'I'),
    ('Minimum recovery ending location', 136, 'LSN'),
    ("Min recovery ending loc's timeline", 144, 'I'),
    ('wal_log_hints setting', 176, 'BOOL'),
    ('max_connections setting', 180, 'i'),
    ('max_worker_processes setting', 184, 'i'),
    ('max_wal_senders setting', 188, 'i'),
    ('max_prepared_xacts setting', 192, 'i'),
    ('max_locks_per_xact setting', 196, 'i'),
    ('track_commit_timestamp setting', 200, 'BOOL'),
]
CONTROL_VERSION = 1800


def read_field(data, place, kind):
    if kind == 'BOOL':
        return 'on' if data[place] else 'off'
    if kind == 'LSN':
        number, = struct.unpack_from('<Q', data, place)
        return '%X/%X' % (number >> 32, number & 0xFFFFFFFF)
    return struct.unpack_from('<' + kind, data, place)[0]


def pg_controldata(folder):
    """Prints the lines of pg_controldata that Patroni reads."""
    with open(os.path.join(folder, 'global', 'pg_control'), 'rb') as file:
        data = file.read(296)
    version = read_field(data, 8, 'I')
    if version != CONTROL_VERSION:
        sys.exit('The control file has version %d; this program knows %d.' % (version, CONTROL_VERSION))
    print('Database cluster state: %s' % STATES[read_field(data, 16, 'I')])
    for name, place, kind in FIELDS:
        print('%s: %s' % (name, read_field(data, place, kind)))


def pg_isready(arguments):
    """Ends with 0 when the server accepts connections, with 1 while it starts or stops, and with 2 when it does not answer."""
    import psycopg2
    given = dict(zip(arguments[::2], arguments[1::2]))
    try:
        psycopg2.connect(host=given.get('-h', '127.0.0.1'), port=given['-p'], dbname=given.get('-d', 'postgres'),
                         user=given.get('-U', 'postgres'), connect_timeout=3).close()
    except psycopg2.OperationalError as error:
        text = str(error)
        # A server that asks for the password, or refuses it, accepts connections.
        if 'password' in text or 'no pg_hba.conf entry' in text:
            return 0
        return 1 if 'the database system is' in text else 2
    return 0


# Files of the running server that are no part of its data, as in pg_basebackup.
EMPTY_FOLDERS = {'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans',
                 'pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries'}
LEFT_OUT = {'postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map', 'standby.signal', 'recovery.signal'}


def copy_leader(arguments):
    """Copies the data of the leader, which is on the same machine, while it runs: the method to create a replica."""
    import psycopg2
    given = dict(argument[2:].split('=', 1) for argument in arguments)
    target = given['datadir']
    # Patroni gives the address for replication; its role may read files and begin a backup here.
    leader = psycopg2.connect(given['connstring'] + ' dbname=postgres')
    leader.autocommit = True
    with leader.cursor() as cursor:
        cursor.execute("select pg_backup_start('kusanya cluster', true), current_setting('data_directory')")
        source = cursor.fetchone()[1]
        copy_data(source, target)
        cursor.execute('select labelfile from pg_backup_stop(false)')
        with open(os.path.join(target, 'backup_label'), 'w') as file:
            file.write(cursor.fetchone()[0])
    return 0


def copy_data(source, target):
    os.makedirs(target, mode=0o700, exist_ok=True)
    for folder, folders, files in os.walk(source):
        path = os.path.relpath(folder, source)
        to = os.path.join(target, path)
        if path in EMPTY_FOLDERS:
            folders[:] = [name for name in folders if os.path.join(path, name) in EMPTY_FOLDERS]
            files = []
        for name in folders:
            os.makedirs(os.path.join(to, name), mode=0o700, exist_ok=True)
        for name in files:
            if name not in LEFT_OUT and (path, name) != ('global', 'pg_control'):
                copy_file(os.path.join(folder, name), os.path.join(to, name))
    copy_file(os.path.join(source, 'global', 'pg_control'), os.path.join(target, 'global', 'pg_control'))


def copy_file(source, target):
    try:
        shutil.copyfile(source, target)
        os.chmod(target, 0o600)
    except FileNotFoundError:
        # A table that was dropped meanwhile.
        pass


def main():
    name = os.path.basename(sys.argv[0])
    arguments = sys.argv[1:]
    if name == 'pg_controldata':
        return pg_controldata(arguments[-1])
    if name == 'pg_isready':
        return pg_isready(arguments)
    return copy_leader(arguments)


sys.exit(main())

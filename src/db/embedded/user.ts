import { execFile, spawnSync } from 'node:child_process'
import { chownSync, readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'

const USER_CANDIDATES = ['postgres', '_postgres', 'nobody']

/** A system account. PostgreSQL refuses to run as root, so root starts the server as one of these. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

/** The account that a server started by root runs as. Throws an Error if the system has no suitable one. */
export function findServerUser(): ServerUser {
  const accounts = readAccounts()
  for (const name of USER_CANDIDATES) {
    const account = accounts.find((candidate) => candidate.name === name)
    if (account) return account
  }
  throw new Error('PostgreSQL does not run as root and there is no user postgres or nobody. Set DATABASE_URL instead.')
}

/** The account that a file or folder belongs to. */
export function ownerOf(path: string): ServerUser {
  const { uid, gid } = statSync(path)
  return { name: readAccounts().find((account) => account.uid === uid)?.name ?? String(uid), uid, gid }
}

/** Makes the server's user the owner of a file of root. Does nothing if the server runs as this user (null). */
export function changeOwner(user: ServerUser | null, path: string): void {
  if (user) chownSync(path, user.uid, user.gid)
}

/** True if a user can enter a folder. It tries, because modes are not enough to know (access lists, mounts, links). */
export function canEnter(folder: string, user: ServerUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], spawnOptions(user)).status === 0
}

/** Spawn options to run a program as the server's user, without the environment of this process, which contains secrets. */
export function spawnOptions(user: ServerUser | null) {
  const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' }
  return { cwd: '/', env, windowsHide: true, ...(user && { uid: user.uid, gid: user.gid }) }
}

/** Runs a program to its end. Throws an Error with its error output if it fails. */
export async function execute(user: ServerUser | null, program: string, args: string[], input = ''): Promise<void> {
  const running = promisify(execFile)(program, args, spawnOptions(user))
  const stdin = running.child.stdin?.on('error', () => {})
  // A program that reads nothing may end before an empty input is written, which would be an error.
  if (input === '') stdin?.destroy()
  else stdin?.end(input)
  await running.catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr?.trim() || error.message)
  })
}

function readAccounts(): ServerUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEPLOY, findProgram, IS_THOROUGH, ROOT } from './programs.ts'

/*
 * Build the image with buildah, and run it with podman, in its own storage. No registry is needed: the base images are a Debian
 * of debootstrap, with the Node and the npm that run the tests.
 */

const PROGRAMS = ['buildah', 'podman', 'runc', 'debootstrap', 'npm']

/** Return the reason why no image can be built here, or false. */
export function whyNoContainers(): string | false {
  if (!IS_THOROUGH) return 'it installs all packages twice; npm run test:deploy runs it'
  if (process.getuid?.() !== 0) return 'only root may make a base image'
  const missing = PROGRAMS.filter((name) => findProgram(name) === null)
  return missing.length > 0 && `not installed: ${missing.join(', ')}`
}

/** The image of deploy/Dockerfile, and the containers that were made of it. */
export interface Containers {
  /** The files of the image. */
  root: string
  /** Configuration in the image. */
  config: ImageConfig
  /** Run a podman command to its end. @returns what it printed @throws if its exit code is not 0 */
  podman(...args: string[]): Promise<string>
  /** End all containers and remove everything that was made. */
  close(): Promise<void>
}

interface ImageConfig {
  User: string
  StopSignal: string
  Healthcheck: { Test: string[] }
}

const IMAGE = 'localhost/kusanya:test'

/** Build the image of deploy/Dockerfile. It takes some minutes. */
export async function buildContainers(): Promise<Containers> {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-image-'))
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const podman = (...args: string[]) => run('podman', [...storage, '--runtime', 'runc', ...args])
  const buildah = (...args: string[]) => run('buildah', [...storage, 'build', '--isolation', 'chroot', ...args])
  const close = async () => {
    await podman('rm', '--all', '--force', '--time', '0').catch(() => {})
    await podman('image', 'unmount', '--all', '--force').catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await podman('import', await makeDebian(), 'localhost/debian:test')
    await buildah('--tag', 'localhost/node:test', prepareNode(join(folder, 'node')))
    const bases = ['NODE_IMAGE=localhost/node:test', 'BASE_IMAGE=localhost/debian:test']
    await buildah(
      '--network',
      'host',
      '--format',
      'docker',
      '--tag',
      IMAGE,
      '--file',
      join(DEPLOY, 'Dockerfile'),
      ...bases.flatMap((base) => ['--build-arg', base]),
      ROOT,
    )
    const root = (await podman('image', 'mount', IMAGE)).trim()
    const [{ Config }] = JSON.parse(await podman('image', 'inspect', IMAGE))
    return { root, config: Config, podman, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The parts of a service of compose.yaml that say what its container may do, as options of `podman run`. */
export function optionsOf(service: {
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  tmpfs: string[]
}): string[] {
  return [
    `--read-only=${service.read_only}`,
    ...service.cap_drop.map((name) => `--cap-drop=${name}`),
    ...service.security_opt.map((option) => `--security-opt=${option.replace(':true', '')}`),
    ...service.tmpfs.map((mount) => `--tmpfs=${mount}`),
    // If even root may not raise its limits, podman must not try.
    '--ulimit=nofile=1024:1024',
    '--ulimit=nproc=4096:4096',
    // The database of the tests listens on the loopback address of this machine.
    '--network=host',
    '--log-driver=k8s-file',
  ]
}

/** The arguments after the options of `podman run`. */
export const imageAnd = (...command: string[]): string[] => [IMAGE, ...command]

/**
 * Make a minimal Debian once: it stays in the folder for temporary files, because it takes minutes. @returns the
 * archive
 */
async function makeDebian(): Promise<string> {
  const archive = join(tmpdir(), 'kusanya-debian-bookworm.tar')
  if (existsSync(archive)) return archive
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-debian-'))
  try {
    await run('debootstrap', ['--variant=minbase', 'bookworm', folder])
    await run('tar', ['-C', folder, '-cf', `${archive}.${process.pid}`, '.'])
    renameSync(`${archive}.${process.pid}`, archive)
    return archive
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Write what makes an image with Node and npm out of Debian. @returns the folder */
function prepareNode(folder: string): string {
  const local = join(folder, 'files/usr/local')
  for (const name of ['bin', 'lib/node_modules']) mkdirSync(join(local, name), { recursive: true })
  cpSync(process.execPath, join(local, 'bin/node'))
  chmodSync(join(local, 'bin/node'), 0o755)
  const npm = dirname(dirname(realpathSync(findProgram('npm')!)))
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true })
  const lines = [
    'FROM localhost/debian:test',
    'COPY files /',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  ]
  // A proxy may check the traffic of this machine with its own certificate.
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) {
    cpSync(certificates, join(folder, 'files/certificates.pem'), { dereference: true })
    lines.push('ENV NODE_EXTRA_CA_CERTS=/certificates.pem')
  }
  writeFileSync(join(folder, 'Dockerfile'), lines.join('\n'))
  return folder
}

/** Run a program while this process does other things. */
export function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(findProgram(program)!, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let all = ''
    const collect = (text: string) => {
      all = (all + text).slice(-20_000)
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      collect(text)
    })
    child.stderr.setEncoding('utf8').on('data', collect)
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${all}`)),
    )
  })
}

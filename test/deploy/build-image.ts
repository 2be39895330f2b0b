import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { ROOT } from './programs.ts'

/** What a Dockerfile makes: a folder with the files of the last stage, and how to start the program in it. */
export interface BuiltImage {
  root: string
  /** All that was written. */
  folder: string
  env: Record<string, string>
  user: string
  command: string[]
}

interface Stage {
  root: string
  workdir: string
}

/**
 * Carries out each step of a Dockerfile without Docker: each stage is a folder that begins with nothing but Node. It knows the
 * instructions that deploy/Dockerfile uses and refuses others.
 */
export function buildImage(dockerfile: string): BuiltImage {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-image-'))
  chmodSync(folder, 0o755)
  try {
    return carryOut(dockerfile, folder)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function carryOut(dockerfile: string, folder: string): BuiltImage {
  const context = copyContext(join(folder, 'context'))
  const stages = new Map<string, Stage>()
  const image = { env: {} as Record<string, string>, user: '', command: [] as string[] }
  let stage: Stage = { root: '', workdir: '/' }
  for (const [word, rest] of instructionsOf(dockerfile)) {
    if (word === 'FROM') {
      stage = beginStage(join(folder, `stage-${stages.size}`))
      stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? 'last', stage)
    } else if (word === 'WORKDIR') {
      stage.workdir = rest
      mkdirSync(join(stage.root, rest), { recursive: true })
    } else if (word === 'COPY')
      copy(rest, stage, (from) => (from ? stages.get(from)! : { root: context, workdir: '/' }))
    else if (word === 'RUN') run(rest, stage, stages.has('last'))
    else if (word === 'ENV')
      Object.assign(image.env, Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('=', 2))))
    else if (word === 'USER') image.user = rest
    else if (word === 'ENTRYPOINT') image.command = JSON.parse(rest)
    else if (!['ARG', 'CMD', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'STOPSIGNAL'].includes(word))
      throw new Error(`This program does not know the instruction ${word}.`)
  }
  return { folder, root: stage.root, ...image }
}

function instructionsOf(text: string): [word: string, rest: string][] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
  return lines.split('\n').flatMap((line) => {
    const [, word, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    return word ? [[word, rest!.trim()]] : []
  })
}

/** The files of the repository that .dockerignore lets through. */
function copyContext(context: string): string {
  const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm)!
  const options = { cwd: ROOT, encoding: 'utf8' as const, maxBuffer: 64 * 1_024 * 1_024 }
  const files = execFileSync('git', ['ls-files', '-z', '--', ...allowed], options)
    .split('\0')
    .filter(Boolean)
  for (const file of files.filter((name) => !name.endsWith('.md'))) cpSync(join(ROOT, file), join(context, file))
  return context
}

function beginStage(root: string): Stage {
  copyProgram(process.execPath, join(root, 'usr/local/bin/node'))
  // The base image has the libraries that Node needs.
  for (const [, path] of execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g))
    copyProgram(path!, join(root, path!))
  return { root, workdir: '/' }
}

function copyProgram(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, 0o755)
}

function copy(rest: string, stage: Stage, find: (stage?: string) => Stage): void {
  const [, from, paths] = /^(?:--from=(\w+) )?(.*)$/.exec(rest)!
  const sources = paths!.split(' ')
  const target = sources.pop()!
  const to = join(stage.root, resolve(stage.workdir, target))
  for (const source of sources) {
    const path = join(find(from).root, source)
    const is_inside = target.endsWith('/') && !statSync(path).isDirectory()
    cpSync(path, is_inside ? join(to, basename(source)) : to, { recursive: true, verbatimSymlinks: true })
  }
}

/** Build steps use the npm of this machine; those of the last stage change its folders only. */
function run(command: string, { root, workdir }: Stage, is_last: boolean): void {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const text = is_last ? command.replaceAll(' /', ` ${root}/`) : command
  execFileSync('sh', ['-c', text], {
    cwd: is_last ? root : join(root, workdir),
    env: { PATH, HOME: process.env.HOME, npm_config_userconfig: process.env.npm_config_userconfig },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

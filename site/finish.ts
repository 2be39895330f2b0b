import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compressFile } from '../src/http/compression/files.ts'
import { BASE, ROOT, textOf } from './layout.ts'

/**
 * Finish a built site: add the linked files, and compress all text. Move the scripts of the pages into files and remove
 * their inline styles, because the content policy allows neither.
 */
export async function finishSite(dist: string, linked_files: Iterable<string>): Promise<void> {
  for (const file of linked_files) {
    const target = join(dist, textOf(file))
    await mkdir(dirname(target), { recursive: true })
    await cp(join(ROOT, file), target)
  }
  for (const page of globSync('**/*.html', { cwd: dist })) await separateScripts(dist, page)
  for (const text of globSync('**/*.{html,js,css,json,svg,txt}', { cwd: dist })) {
    const path = join(dist, text)
    const { br, gzip } = await compressFile(await readFile(path))
    await writeFile(`${path}.br`, br)
    await writeFile(`${path}.gz`, gzip)
  }
}

/** The scripts that VitePress writes into the head of each page. They choose the colours before the page is shown, so they are not put off. */
const INLINE_SCRIPT = /<script id="[\w-]+">([\s\S]*?)<\/script>/g
/** Inline styles that the theme writes into elements. `theme.css` has their rules. */
const INLINE_STYLE = / style="(--vp-vh:0px|position:relative);"/g

async function separateScripts(dist: string, page: string): Promise<void> {
  const html = await readFile(join(dist, page), 'utf8')
  const scripts = [...html.matchAll(INLINE_SCRIPT)].map(([, script]) => `${script!.replace(/;?$/, ';')}\n`).join('')
  const name = `assets/head.${createHash('sha256').update(scripts).digest('hex').slice(0, 8)}.js`
  let first = true
  const separated = html.replace(INLINE_STYLE, '').replace(INLINE_SCRIPT, () => {
    const tag = first ? `<script src="${BASE}${name}"></script>` : ''
    first = false
    return tag
  })
  await writeFile(join(dist, name), scripts)
  await writeFile(join(dist, page), separated)
}

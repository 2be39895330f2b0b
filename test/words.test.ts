import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/*
 * The rules for the words of comments that a machine can watch: a reader should need each sentence once.
 */

const ROOT = join(import.meta.dirname, '..')

/** Folders whose comments follow the rules. */
const FOLDERS = ['src', 'web', 'site', 'packages/client/src', 'bench', 'scripts', 'test']

/** First words of a doc comment that is no noun and no verb. */
const FIRST_WORDS = /^(What|Who|Whose|Whom|Which|Whether|That|Those|How|When|Where|Why|One|The most)\b/

/** Phrases that send a reader back to the beginning of the sentence. */
const PHRASES = /\b(that of|became of|the most that)\b/i

const sources = globSync(`{${FOLDERS.join(',')}}/**/*.{ts,tsx}`, {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'packages/client/src/openapi.ts'],
}).sort()

describe('comments are read once:', () => {
  it('doc comments begin with a noun or a verb', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(faultsOf(firstWordFault)).toEqual([])
  })

  it('no comment says "that of", "became of" or "the most that"', () => {
    expect(faultsOf(phraseFault)).toEqual([])
  })

  it('comments of tables and columns follow the same rules', () => {
    const wrong = globSync('migrations/*.sql', { cwd: ROOT }).flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^comment on (.*?) is\s+'(.*)';$/gm)].flatMap(
        ([, name, text]) => (FIRST_WORDS.test(text!) || PHRASES.test(text!) ? [`${path}: ${name}`] : []),
      ),
    )
    expect(wrong).toEqual([])
  })
})

describe('the rules for words', () => {
  const comments = (text: string) => commentsOf(text).map((comment) => comment.text)

  it('find doc comments, notes between slashes and stars, and line comments', () => {
    const text = [
      '/** Name of a shop. */',
      'interface Shop {',
      '  /**',
      '   * Time of its opening,',
      '   * on the clock of the shop.',
      '   */',
      "  opens: 'never' // Since it is closed.",
      '  // Two lines,',
      '  // one comment.',
      '}',
      "const files = 'src/**/*.ts' + `https://shop.example`",
      '/* A note. */',
    ].join('\n')
    expect(comments(text)).toEqual([
      'Name of a shop.',
      'Time of its opening, on the clock of the shop.',
      'Since it is closed.',
      'Two lines, one comment.',
      'A note.',
    ])
  })

  it('refuse questions, and accept nouns and verbs', () => {
    const refused = ['What it costs.', 'Whether it is open.', 'One shop.', 'The most shops.', 'When it opens.']
    for (const words of refused) expect(firstWordFault({ text: words, line: 1, is_doc: true }), words).toBeDefined()
    for (const words of ['Cost of it.', 'True if it is open.', 'Whatever', 'Returns a shop.'])
      expect(firstWordFault({ text: words, line: 1, is_doc: true }), words).toBeUndefined()
    expect(firstWordFault({ text: 'What follows is slow.', line: 1, is_doc: false })).toBeUndefined()
  })

  it('refuse phrases, also across lines', () => {
    const [comment] = commentsOf('// The name is that\n// of the shop.\n')
    expect(phraseFault(comment!)).toContain('that of')
    expect(phraseFault({ text: 'The name that offers sell under.', line: 1, is_doc: false })).toBeUndefined()
  })
})

interface Comment {
  text: string
  /** Line of its beginning, from 1. */
  line: number
  is_doc: boolean
}

function faultsOf(faultOf: (comment: Comment) => string | undefined): string[] {
  return sources.flatMap((path) =>
    commentsOf(readFileSync(join(ROOT, path), 'utf8')).flatMap((comment) => {
      const fault = faultOf(comment)
      return fault === undefined ? [] : [`${path}:${comment.line} ${fault}`]
    }),
  )
}

function firstWordFault({ text, is_doc }: Comment): string | undefined {
  const word = is_doc ? FIRST_WORDS.exec(text)?.[1] : undefined
  return word && `begins with "${word}": begin with a noun or a verb, such as "Number of …", "Reads …", "True if …".`
}

function phraseFault({ text }: Comment): string | undefined {
  const phrase = PHRASES.exec(text)?.[1]
  return phrase && `says "${phrase}": name the thing again, or say "state", "outcome", "maximum".`
}

/** Blocks at the beginning of a line, whole lines in a row, and notes behind code. */
const COMMENT =
  /^[ \t]*\/\*(?<star>\*?)(?<block>[\s\S]*?)\*\/|^[ \t]*\/\/(?<lines>.*(?:\n[ \t]*\/\/.*)*)|[ \t]\/\/ (?<note>.*)$/gm

/** Returns the comments of a source text, each on one line. */
function commentsOf(text: string): Comment[] {
  return [...text.matchAll(COMMENT)].map(({ 0: all, index, groups }) => {
    const { star, block, lines, note } = groups!
    const words = block?.replaceAll(/\n\s*\*?/g, ' ') ?? lines?.replaceAll(/\n\s*\/\//g, ' ') ?? note!
    const before = text.slice(0, index + all.length - all.trimStart().length)
    return { text: words.replaceAll(/\s+/g, ' ').trim(), line: before.split('\n').length, is_doc: star === '*' }
  })
}

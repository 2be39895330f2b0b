import type MiniSearch from 'minisearch'

/** A section of a page, or an entry of the API reference, with the words of the search that it has. */
export interface Found {
  id: string
  title: string
  titles: string[]
  score: number
  queryTerms: string[]
  match: Record<string, string[]>
}

/** The index of the search. */
type Index = Pick<MiniSearch<{ id: string }>, 'search'>

/** Preferences of pages, by the beginning of their address; the first that fits. Pages for readers who do a job come first. */
const PREFERENCES: readonly (readonly [start: string, preference: number])[] = [
  ['/manual/', 4],
  ['/guides/', 1.5],
  ['/reference', 0.8],
  ['/#', 0.5],
  ['/clients/', 0.4],
  ['/getting-started', 2],
  ['/decisions/', 0.3],
  ['/operating/log', 0.3],
  ['/networks/tutorial', 0.4],
  ['/interface-gaps', 0.5],
  ['/operating/commands', 0.5],
  ['/architecture', 0.2],
  ['/contributing', 0.2],
]

/** Words of a question that say nothing about what it asks for. */
const EMPTY_WORDS = new Set(
  'a an and are at be by can do does for from get has have he how i in is it its let me my of on or our please she so some that the their them there they this to us was we what when where which who why will with you your'.split(
    ' ',
  ),
)

/** Words that only a programmer asks with: the question is for the reference. */
const API_WORDS = /\b(api(?! keys?\b)|post|patch|endpoint)\b/i

/** Beginnings of questions for the glossary. */
const ASKS_MEANING = /^what (is|are|does)\b/i

/** Preference of an operation or event whose address or type is the question. */
const NAMED = 10

/** Maximum number of results of one page: more would hide the next page. */
const MAX_SECTIONS_OF_A_PAGE = 4

/**
 * Search pages by a question. Pages with all its words come first, wherever on the page each stands; then those with most of them.
 * A word also matches words that begin with it. A word that no page has matches similar spellings.
 */
export function searchPages(index: Index, question: string): Found[] {
  const words = wordsOf(question)
  const known = new Map(words.map((word) => [word, index.search(word, { prefix: true, fuzzy: false }).length > 0]))
  const asks_reference = API_WORDS.test(question) ? 4 : 1
  const asks_glossary = ASKS_MEANING.test(question) ? 10 : 1
  const wantedOf = (id: string) => (isReference(id) ? asks_reference : pageOf(id) === '/glossary' ? asks_glossary : 1)
  const found = index.search(words.join(' '), {
    combineWith: 'OR',
    prefix: true,
    fuzzy: (word) => !known.get(word) && word.length > 4 && 0.25,
    boost: { title: 4, titles: 2, text: 1 },
    weights: { prefix: 0.25, fuzzy: 0.25 },
    boostDocument: (id: string, _word, stored) => {
      const { titles } = stored as Pick<Found, 'titles'>
      return preferenceOf(id) * (titles.length === 0 ? 2 : 1) * wantedOf(id)
    },
  }) as unknown as Found[]
  const by_page = new Map<string, Found[]>()
  for (const one of found) by_page.set(pageOf(one.id), [...(by_page.get(pageOf(one.id)) ?? []), one])
  const name = question.trim().toLowerCase()
  const weightOf = ({ score, queryTerms, id, title }: Found) =>
    score * queryTerms.length * (isReference(id) && title.toLowerCase().endsWith(` ${name}`) ? NAMED : 1)
  const pages = [...by_page.values()].map((sections) => ({
    sections: sections.sort((a, b) => weightOf(b) - weightOf(a)).slice(0, MAX_SECTIONS_OF_A_PAGE),
    covered: new Set(sections.flatMap(({ queryTerms }) => queryTerms)).size,
  }))
  pages.sort((a, b) => b.covered - a.covered || weightOf(b.sections[0]!) - weightOf(a.sections[0]!))
  return pages.flatMap(({ sections }) => sections)
}

/** The words that are searched: without empty ones, unless there are no others. */
function wordsOf(question: string): string[] {
  const all = question.split(/[^\p{L}\p{M}\p{N}_]+/u).filter(Boolean)
  const telling = all.filter((word) => !EMPTY_WORDS.has(word.toLowerCase()))
  return [...new Set((telling.length > 0 ? telling : all).map(singularOf))]
}

/**
 * Return the form in which a word is stored and searched: small letters, in the singular. The site has the text of this function, so
 * it uses nothing from outside.
 */
export function singularOf(word: string): string {
  const small = word.toLowerCase()
  if (small.length < 4) return small
  return small.replace(/ies$/, 'y').replace(/(?<![us])s$/, '')
}

function preferenceOf(id: string): number {
  return PREFERENCES.find(([start]) => id.startsWith(start))?.[1] ?? 1
}

/** The page of a section. Each entry of the reference is a page of its own. */
function pageOf(id: string): string {
  return isReference(id) ? id : id.replace(/#.*/, '')
}

function isReference(id: string): boolean {
  return id.startsWith('/reference')
}

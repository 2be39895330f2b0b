import type { MarkdownOptions } from 'vitepress'

/** The kinds of words that have their own colour in code, and their TextMate scopes. `theme.css` has the colours. */
const KINDS: Record<string, string[]> = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'string.unquoted.argument'],
  constant: ['constant', 'variable.parameter.option', 'constant.other.option'],
  keyword: ['keyword', 'storage', 'entity.name.tag', 'keyword.operator.new'],
  function: ['entity.name.function', 'support.function', 'entity.name.command', 'meta.function-call.generic'],
  property: [
    'support.type.property-name',
    'meta.object-literal.key',
    'variable.other.property',
    'entity.other.attribute-name',
  ],
  type: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
}

/** A theme of Shiki whose colours are numbers of kinds: the transformer makes classes of them. */
export const codeTheme: MarkdownOptions['theme'] = {
  name: 'kinds',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: Object.values(KINDS).map((scope, index) => ({ scope, settings: { foreground: colorOf(index) } })),
}

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/**
 * Replace the styles that Shiki writes into each word by classes, because the content policy allows no inline style.
 */
export const classesForColors: Transformer = {
  name: 'classes-for-colors',
  pre(node) {
    delete node.properties.style
  },
  span(node) {
    const kind = Object.keys(KINDS).find(
      (_, index) => node.properties.style === `color:${colorOf(index).toUpperCase()}`,
    )
    delete node.properties.style
    if (kind) this.addClassToHast(node, `code-${kind}`)
  },
}

function colorOf(index: number): string {
  return `#00000${index + 1}`
}

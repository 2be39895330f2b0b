import { spans } from '../../lib/tracing/spans.ts'
import type { DescribedTable } from './table.ts'

/** Describe every span of the traces. */
export function describeSpans(): DescribedTable[] {
  const rows = Object.values(spans).map(({ name, kind, inside, shows, attributes }) => [
    `\`${name}\``,
    kind,
    inside,
    shows,
    attributes.map((attribute) => `\`${attribute}\``).join(', '),
  ])
  return [{ columns: ['Span', 'Kind', 'Inside', 'Meaning', 'Attributes'], rows }]
}

import { Code } from '@mantine/core'

/** Show data as indented JSON. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <Code block tabIndex={0} role="group" aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </Code>
  )
}

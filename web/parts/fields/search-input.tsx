import { TextInput } from '@mantine/core'

/** Field for a search in the rows of a page. */
export function SearchInput(props: { label: string; value: string; change(typed: string): void; flex?: string }) {
  const { label, value, change, flex } = props
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      type="search"
      flex={flex}
      maw={360}
      maxLength={100}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

import { Loader } from '@mantine/core'

/** A placeholder while data loads, with a text for screen readers. */
export function Loading() {
  return <Loader role="status" aria-label="Loading" />
}

import { formatTime, readTime } from '../format.ts'

/** A time in the browser's time zone; its tooltip shows UTC. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <>—</>
  return (
    <time dateTime={readTime(at)?.toISOString()} title={readTime(at)?.toISOString()}>
      {formatTime(at)}
    </time>
  )
}

import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { nameEvent } from '../event-types.ts'

/** An event type in words, and below them as the interface spells it. Its id follows the words where there is one. */
export function EventName({ type, id }: { type: string; id?: number }) {
  return (
    <>
      {id === undefined ? nameEvent(type) : `${nameEvent(type)} ${id}`}
      <Text fz="xs" c="dimmed" component="div">
        <EventCode type={type} />
      </Text>
    </>
  )
}

/** The name of an event type in the interface, which may break after its dots. */
function EventCode({ type }: { type: string }): ReactNode {
  return type.split(/(?<=\.)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ))
}

import { Group, Text, Timeline } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { timeFormat } from '../../format.ts'
import { translateMessage } from '../../texts/messages.ts'

/** Line of a timeline. */
export interface Line {
  key: string
  icon: ComponentType<{ size?: number }>
  color: string
  /** Time in the form of the interface. */
  at: string
  title: ReactNode
  details: ReactNode
}

export const formatClock: (wire: string) => string = timeFormat({ timeStyle: 'medium' })

/** List of lines in the given order. `format` writes the times; without it they are times of day. */
export function Lines(props: { label: string; lines: readonly Line[]; format?: (wire: string) => string }) {
  const { label, lines, format = formatClock } = props
  return (
    <Timeline
      active={lines.length - 1}
      bulletSize={26}
      lineWidth={2}
      role="list"
      aria-label={label}
      classNames={{ item: 'timeline-item' }}
    >
      {lines.map(({ key, icon: Icon, color, at, title, details }) => (
        <Timeline.Item
          key={key}
          role="listitem"
          bullet={<Icon size={15} />}
          color={color}
          title={<Title title={title} at={at} time={format(at)} />}
        >
          {details}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

function Title({ title, at, time }: { title: ReactNode; at: string; time: string }) {
  return (
    <Group justify="space-between" gap="0 var(--mantine-spacing-xs)" align="flex-start">
      <Text fz="sm" fw={600} component="div" miw={0} className="any-break">
        {title}
      </Text>
      <Text fz="xs" c="dimmed" component="time" className="numeric" dateTime={at} title={at}>
        {time}
      </Text>
    </Group>
  )
}

/** A text below the title of a line; nothing if there is none. */
export function DetailText({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Text fz="xs" c="dimmed" component="div" className="any-break">
      {typeof children === 'string' ? translateMessage(children) : children}
    </Text>
  )
}

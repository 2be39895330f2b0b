import { Anchor, Button, Group, List, Progress, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { newDuplicateKey } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { t } from '../../texts/index.ts'
import { groupRefusals, type Outcome, runBulk } from './run-bulk.ts'
import type { Selection } from './selection.ts'

/** Action on several rows at once. The service decides about each row separately. */
export interface BulkAction<Row> {
  /** The label of the button, and the title of its dialog. */
  button: string
  /** Describe the effect on these rows. */
  text: (rows: readonly Row[]) => string
  /** Describe the result, such as `37 of 40 requests were cancelled.` */
  done: (counts: { done: string; all: string; count: number }) => string
  /** Do it with one row. @param key the same whenever this row is tried again, for `api.postOnce` */
  act: (row: Row, key: string, reason: string) => Promise<unknown>
  danger?: boolean
  /** True if people have to say why; the same reason holds for all rows. */
  reason?: boolean
}

interface BulkDialogProps<Row> {
  action: BulkAction<Row>
  rows: readonly Row[]
  selection: Selection<Row>
  nameOf: (row: Row) => string
  rowLink?: (row: Row) => string
  close(): void
}

/** Ask for confirmation, and show the progress and the result for each row. */
export function BulkDialog<Row extends { id: number | string }>(props: BulkDialogProps<Row>) {
  const { action, rows, close } = props
  const [reason, setReason] = useState('')
  const run = useBulkRun(props)
  if (run.state !== 'new') return <BulkResult {...props} {...run} start={() => run.start(reason)} />
  return (
    <Stack>
      <Text fz="sm">{action.text(rows)}</Text>
      {action.reason && (
        <Textarea
          label={t('fields.reason')}
          required
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('parts.go_back')}
        </Button>
        <Button
          color={action.danger ? 'red.9' : undefined}
          disabled={action.reason && reason.trim() === ''}
          onClick={() => run.start(reason)}
        >
          {action.button}
        </Button>
      </Group>
    </Stack>
  )
}

interface BulkState<Row> {
  state: 'new' | 'running' | 'ended'
  outcomes: ReadonlyMap<Row, Outcome>
  /** The seconds of a pause that the service wants; 0: none. */
  waiting: number
  stop(): void
}

/** Run an action over the rows that are not done yet. Closing the dialog stops it. */
function useBulkRun<Row>({ action, rows, selection }: BulkDialogProps<Row>): BulkState<Row> & {
  start(reason: string): void
} {
  const client = useQueryClient()
  const [state, setState] = useState<BulkState<Row>['state']>('new')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<Row, Outcome>>(new Map())
  const [waiting, setWaiting] = useState(0)
  const controller = useRef<AbortController>(null)
  const [keys] = useState(() => new Map(rows.map((row) => [row, newDuplicateKey()])))
  useEffect(() => () => controller.current?.abort(), [])
  const start = async (reason: string) => {
    const known = new Map([...outcomes].filter(([, { kind }]) => kind !== 'unknown'))
    const abort = new AbortController()
    controller.current = abort
    setState('running')
    await runBulk({
      rows: rows.filter((row) => !known.has(row)),
      act: (row) => action.act(row, keys.get(row)!, reason.trim()),
      onOutcome: (row, outcome) => {
        known.set(row, outcome)
        setOutcomes(new Map(known))
      },
      onWait: setWaiting,
      signal: abort.signal,
    })
    selection.set(
      rows.filter((row) => known.get(row)?.kind === 'done'),
      false,
    )
    setState('ended')
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
  return { state, outcomes, waiting, start, stop: () => controller.current?.abort() }
}

function BulkResult<Row>(props: BulkDialogProps<Row> & BulkState<Row> & { start(): void }) {
  const { action, rows, state, outcomes, waiting, start, stop, close } = props
  const running = state === 'running'
  const countOf = (kind: Outcome['kind']) => [...outcomes.values()].filter((outcome) => outcome.kind === kind).length
  const all = formatCount(rows.length)
  const open = rows.length - countOf('done') - countOf('refused')
  return (
    <Stack>
      <Progress value={(100 * outcomes.size) / rows.length} aria-label={t('lists.bulk.progress')} />
      <Text fz="sm" fw={600} role="status">
        {running
          ? t('lists.bulk.running', { done: formatCount(outcomes.size), all })
          : action.done({ done: formatCount(countOf('done')), all, count: rows.length })}
      </Text>
      {waiting > 0 && <Text fz="sm">{t('lists.bulk.waiting', { count: waiting })}</Text>}
      <Refusals {...props} />
      {!running && countOf('unknown') > 0 && (
        <Text fz="sm">{t('lists.bulk.unknown', { name: props.nameOf(unknownOf(outcomes)) })}</Text>
      )}
      {!running && open - countOf('unknown') > 0 && (
        <Text fz="sm">
          {t('lists.bulk.left', { count: open - countOf('unknown'), number: formatCount(open - countOf('unknown')) })}
        </Text>
      )}
      <Group justify="flex-end">
        {running && (
          <Button variant="default" onClick={stop}>
            {t('lists.bulk.stop')}
          </Button>
        )}
        {!running && open > 0 && (
          <Button variant="default" onClick={start}>
            {t('lists.bulk.continue')}
          </Button>
        )}
        {!running && <Button onClick={close}>{t('parts.close')}</Button>}
      </Group>
    </Stack>
  )
}

/** The row without an answer. A run ends at the first one. */
function unknownOf<Row>(outcomes: ReadonlyMap<Row, Outcome>): Row {
  return [...outcomes].find(([, { kind }]) => kind === 'unknown')![0]
}

/** Reasons for refusals, with the rows. */
function Refusals<Row>({ outcomes, nameOf, rowLink }: BulkDialogProps<Row> & BulkState<Row>) {
  const groups = groupRefusals(outcomes)
  if (groups.length === 0) return null
  return (
    <List fz="sm" spacing="xs">
      {groups.map(([message, rows]) => (
        <List.Item key={message}>
          {t('lists.bulk.refused', { count: rows.length, number: formatCount(rows.length), message })}
          <Group gap="xs">
            {rows.map((row) =>
              rowLink ? (
                <Anchor key={nameOf(row)} component={Link} to={rowLink(row)} fz="xs" underline="always">
                  {nameOf(row)}
                </Anchor>
              ) : (
                <Text key={nameOf(row)} fz="xs">
                  {nameOf(row)}
                </Text>
              ),
            )}
          </Group>
        </List.Item>
      ))}
    </List>
  )
}

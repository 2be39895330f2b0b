import { Button, Group, type MantineBreakpoint, Modal, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconClockPlay } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError, api } from '../api.ts'
import { advanceClock } from '../clock.ts'
import { formatTime, formatWord, readTime, timeFormat } from '../format.ts'
import { Problem } from '../parts/problem.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Clock, ClockAdvance } from '../wire.ts'

/** The spans of the buttons, as the service reads them. */
const spans = { '10 minutes': 'minutes', '1 hour': 'hour', '1 day': 'day', '7 days': 'week' } as const

/** The time of the sandbox, and a dialog that moves it forward. Narrow screens show it elsewhere. */
export function SandboxClock(visibility: { visibleFrom?: MantineBreakpoint; hiddenFrom?: MantineBreakpoint }) {
  const { mode, may } = useSession()
  const [opened, { open, close }] = useDisclosure()
  const { data: read, dataUpdatedAt } = useQuery({
    queryKey: ['clock'],
    queryFn: () => api.get<Clock>('/clock'),
    enabled: mode === 'sandbox' && may('view'),
  })
  const elapsed_ms = useElapsed(dataUpdatedAt)
  if (!read) return null
  const data = { ...read, now: new Date((readTime(read.now)?.getTime() ?? 0) + elapsed_ms).toISOString() }
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        size="compact-sm"
        px="xs"
        fw={500}
        leftSection={<IconClockPlay size={17} />}
        onClick={open}
        {...visibility}
        aria-label={t('shell.clock.label', { time: formatShort(data.now) })}
      >
        <span className="numeric">{formatShort(data.now)}</span>
      </Button>
      <Modal opened={opened} onClose={close} title={t('shell.clock.title')}>
        <ClockForm clock={data} close={close} mine={may('manage_organization')} />
      </Modal>
    </>
  )
}

/** Interval at which the shown time advances by itself. */
const TICK_MS = 15_000

/** The milliseconds since a moment, renewed while the page is open: the clock of the sandbox runs as fast as any other. */
function useElapsed(since_ms: number): number {
  const [now_ms, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return Math.max(0, now_ms - since_ms)
}

function ClockForm({ clock, close, mine }: { clock: Clock; close(): void; mine: boolean }) {
  const [to, setTo] = useState('')
  const [advance, setAdvance] = useState<ClockAdvance>()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (target: string) => advanceClock(target, setAdvance),
    onSettled: () => client.invalidateQueries(),
    onSuccess: close,
  })
  const fieldError = error instanceof ApiError ? error.fields.to?.join(' ') : undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    mutate(to)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Text fz="sm">
          {t('shell.clock.about', { time: formatTime(advance && isPending ? advance.now : clock.now) })}
        </Text>
        {isPending ? (
          <AdvanceProgress advance={advance} />
        ) : (
          <>
            <Group gap="xs">
              {Object.entries(spans).map(([span, name]) => (
                <Button key={span} variant="default" size="xs" disabled={!mine} onClick={() => mutate(span)}>
                  {t(`shell.clock.spans.${name}`)}
                </Button>
              ))}
            </Group>
            <TextInput
              label={t('shell.clock.to')}
              placeholder={t('shell.clock.example')}
              disabled={!mine}
              value={to}
              error={fieldError}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
            {!fieldError && <Problem error={error} />}
            <Group justify="space-between">
              <Text fz="xs" c="dimmed">
                {t(mine ? 'shell.clock.forward_only' : 'shell.clock.managers_only')}
              </Text>
              <Button type="submit" disabled={!mine || to.trim() === ''}>
                {t('shell.clock.move')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </form>
  )
}

function AdvanceProgress({ advance }: { advance: ClockAdvance | undefined }) {
  const [start, now, target] = [advance?.begun, advance?.now, advance?.target].map(
    (at) => readTime(at ?? '')?.getTime() ?? 0,
  )
  const share = target! > start! ? (100 * (now! - start!)) / (target! - start!) : 0
  return (
    <Stack gap="xs" aria-live="polite">
      <Progress.Root size="lg">
        <Progress.Section value={share} animated aria-label={t('shell.clock.progress')} />
      </Progress.Root>
      <Text fz="xs" c="dimmed" mih="1.2rem">
        {advance &&
          advance.waiting_for.length > 0 &&
          t('shell.clock.waiting', { work: advance.waiting_for.map((one) => formatWord(one)).join(', ') })}
      </Text>
    </Stack>
  )
}

const formatShort = timeFormat({
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

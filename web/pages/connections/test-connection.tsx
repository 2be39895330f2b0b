import { Alert, Badge, Button, Group, List, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconMinus, IconQuestionMark, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { ConsoleConnectionDetail, TestResult } from '../../wire.ts'

interface TestAnswer {
  passed: boolean
  results: TestResult[]
}

/** Try a connection without moving money, and show the results. */
export function TestConnection({ connection, after }: { connection: ConsoleConnectionDetail; after?: ReactNode }) {
  const { slug, network, last_test, passed, tested } = connection
  const client = useQueryClient()
  const test = useMutation({
    mutationFn: () => api.post<TestAnswer>(`/connections/${slug}/test`),
    onSettled: () => {
      client.invalidateQueries({ queryKey: ['/go-live'] })
      return client.invalidateQueries({ queryKey: ['/connections'] })
    },
  })
  return (
    <Stack>
      <Text fz="sm">
        {t('connections.test.text', { network })}{' '}
        {tested && <Trans i18nKey="connections.test.last" components={{ time: <Time at={tested} /> }} />}
      </Text>
      <Problem error={test.error} />
      <div aria-live="polite">
        {test.isPending ? (
          <Waiting network={network} />
        ) : (
          last_test && <TestResults results={last_test} passed={passed === true} />
        )}
      </div>
      <Group>
        <Button variant={passed ? 'default' : 'filled'} loading={test.isPending} onClick={() => test.mutate()}>
          {t(last_test ? 'connections.test.again' : 'connections.test.run')}
        </Button>
        {!test.isPending && after}
      </Group>
    </Stack>
  )
}

/** A network may take a minute to answer. The seconds show that something goes on. */
function Waiting({ network }: { network: string }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text fz="sm" role="status">
      {t('connections.test.waiting', { network })}
      {seconds >= 2 && <span aria-hidden> {t('connections.test.seconds', { count: seconds })}</span>}
    </Text>
  )
}

const looks = {
  ok: { color: 'green', icon: IconCheck, word: t('connections.test.outcomes.ok') },
  failed: { color: 'red', icon: IconX, word: t('connections.test.outcomes.failed') },
  unknown: { color: 'orange', icon: IconQuestionMark, word: t('connections.test.outcomes.unknown') },
  skipped: { color: 'gray', icon: IconMinus, word: t('connections.test.outcomes.skipped') },
} as const

/** Results of a test, each with its setting. */
export function TestResults({ results, passed }: { results: readonly TestResult[]; passed: boolean }) {
  return (
    <Stack gap="sm">
      <Alert
        color={passed ? 'green' : 'red'}
        variant="light"
        title={t(passed ? 'connections.test.passed_title' : 'connections.test.failed_title')}
        role={passed ? 'status' : 'alert'}
      >
        {passed ? t('connections.test.no_problems') : whatToDo(results)}
      </Alert>
      <List spacing="sm" listStyleType="none" center={false}>
        {results.map((result) => (
          <Result key={`${result.name} ${result.message}`} result={result} />
        ))}
      </List>
    </Stack>
  )
}

function whatToDo(results: readonly TestResult[]): string {
  return results.some(({ outcome }) => outcome === 'failed')
    ? t('connections.test.repair')
    : t('connections.test.unclear')
}

function Result({ result: { name, outcome, message, settings } }: { result: TestResult }) {
  const { color, icon: Icon, word } = looks[outcome]
  return (
    <List.Item
      icon={
        <ThemeIcon size={22} radius="xl" color={color} variant="light" aria-hidden>
          <Icon size={14} />
        </ThemeIcon>
      }
    >
      <Group gap="xs">
        <Text fz="sm" fw={600}>
          {t('connections.test.result', { name: formatWord(name), outcome: word })}
        </Text>
        {settings.map((title) => (
          <Badge key={title} variant="light" color={color} tt="none">
            {title}
          </Badge>
        ))}
      </Group>
      <Text fz="sm" className="any-break">
        {translateMessage(message)}
      </Text>
    </List.Item>
  )
}

import { Alert, Button, Code, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { nameEvent } from '../../event-types.ts'
import { formatCount } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Json } from '../../parts/json.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Endpoint, WebhookTestResult } from '../../wire.ts'
import { FailureAdvice, failureText } from './failure.tsx'

/** Pause a webhook, or resume it. */
export function PauseWebhook({ webhook }: { webhook: Endpoint }) {
  const client = useQueryClient()
  const verb = webhook.paused === null ? 'pause' : 'resume'
  return (
    <Confirm
      key={verb}
      button={t(`webhooks.${verb}`)}
      title={t(`webhooks.${verb}_title`)}
      size="sm"
      act={() => api.post(`/webhooks/${webhook.id}/${verb}`)}
      done={() => client.invalidateQueries({ queryKey: ['/webhooks', String(webhook.id), 'health'] })}
    >
      {verb === 'pause'
        ? t('webhooks.pause_text')
        : t('webhooks.resume_text', { count: webhook.waiting, number: formatCount(webhook.waiting) })}
    </Confirm>
  )
}

/** Send a test event of a chosen type to a webhook, and show the result at once. */
export function TestWebhook({ webhook: { webhooks } }: { webhook: Endpoint }) {
  const [opened, { open, close }] = useDisclosure()
  const [event, setEvent] = useState<string | null>(null)
  const chosen = webhooks.find((one) => one.event === event) ?? webhooks[0]!
  const test = useMutation({ mutationFn: () => api.post<WebhookTestResult>(`/webhooks/${chosen.id}/test`) })
  const start = () => {
    test.reset()
    open()
  }
  return (
    <>
      <Button aria-haspopup="dialog" onClick={start}>
        {t('webhooks.test.button')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('webhooks.test.title')} size="xl">
        <Stack>
          {webhooks.length > 1 && (
            <Select
              label={t('webhooks.event')}
              data={webhooks.map((one) => ({ value: one.event, label: nameEvent(one.event) }))}
              allowDeselect={false}
              value={chosen.event}
              onChange={(value) => {
                test.reset()
                setEvent(value)
              }}
            />
          )}
          <Text fz="sm">
            <Trans i18nKey="webhooks.test.about" values={{ event: chosen.event }} components={{ code: <Code /> }} />
          </Text>
          {test.data && <TestOutcome result={test.data} />}
          <Problem error={test.error} />
          <Group justify="flex-end">
            <Button loading={test.isPending} onClick={() => test.mutate()}>
              {t(test.data ? 'webhooks.test.again' : 'webhooks.test.send')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function TestOutcome({ result }: { result: WebhookTestResult }) {
  const { failure, status, duration_ms, request_headers, request_body, response_body } = result
  const headers = Object.entries(request_headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <Alert
        role="status"
        color={failure === null ? 'green' : 'red'}
        title={
          failure === null
            ? t('webhooks.test.passed', { status: status ?? '', ms: duration_ms })
            : t('webhooks.test.failed', { failure: failureText(failure), ms: duration_ms })
        }
      >
        {failure !== null && <FailureAdvice failure={failure} />}
      </Alert>
      {response_body && <Json label={t('webhooks.test.response')} value={response_body} />}
      <Json label={t('webhooks.test.request')} value={`${headers.join('\n')}\n\n${request_body}`} />
    </>
  )
}

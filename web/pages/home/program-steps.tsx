import { ActionIcon, Anchor, Box, Button, Code, CopyButton, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { live } from '../../live/stream.ts'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import { ConfirmForm } from '../account/confirm-form.tsx'
import { WAITING_PHONE } from '../phone/customers.ts'
import { Step } from './step.tsx'

/** The steps of a program, each with its command. */
export function ProgramSteps({ left }: { left: readonly ('request' | 'paid' | 'webhook')[] }) {
  const [key, setKey] = useStoredKey()
  const [newest, setNewest] = useState<string>()
  useEffect(() => live.follow({ onEvent: ({ body }) => setNewest(body) }), [])
  if (left.length === 0) return null
  const phone = <PageLink to="/phone" />
  const service = { origin: window.location.origin, key: key ?? '$KEY' }
  const steps = {
    request: {
      title: t('home.steps.request'),
      about: <Trans i18nKey="home.steps.request_text" components={{ a: phone }} />,
      command: askCommand(service),
    },
    paid: {
      title: t('home.steps.approve'),
      about: <Trans i18nKey="home.steps.approve_text" components={{ a: phone }} />,
      command: approveCommand(service),
    },
    webhook: {
      title: t('home.steps.webhook'),
      about: (
        <Trans
          i18nKey="home.steps.webhook_text"
          components={{ webhooks: <PageLink to="/webhooks" />, events: <PageLink to="/events" />, code: <Code /> }}
        />
      ),
      command: followCommand(service),
    },
  }
  return (
    <>
      <KeyForCommands current={key} onCreated={setKey} />
      {left.map((name, index) => (
        <Step key={name} number={index + 1} title={steps[name].title} about={steps[name].about}>
          <Command title={steps[name].title} text={steps[name].command} />
          {name === 'webhook' && newest && <ReceivedEvent body={newest} />}
        </Step>
      ))}
    </>
  )
}

interface Service {
  origin: string
  key: string
}

function askCommand({ origin, key }: Service): string {
  return `curl ${origin}/api/collectionrequests \\
  -H "Authorization: Token ${key}" \\
  -H 'Content-Type: application/json' \\
  -d '{"phonenumber":"${WAITING_PHONE}","amount":"1500",
       "currency":"BXC","send_instructions":true}'`
}

function approveCommand({ origin, key }: Service): string {
  return `curl ${origin}/api/simulator/phones/${WAITING_PHONE}/answer \\
  -H "Authorization: Token ${key}" \\
  -H 'Content-Type: application/json' \\
  -d '{"answer":"approve","pin":"1234"}'`
}

function followCommand({ origin, key }: Service): string {
  return `curl -N "${origin}/api/events/stream?since=10+minutes+ago" \\
  -H "Authorization: Token ${key}"`
}

/** The API key for the commands. It is shown only once, so it is known until the console reloads. */
function useStoredKey() {
  const { organization } = useSession()
  const client = useQueryClient()
  const name = ['first-steps-key', organization?.id]
  client.setQueryDefaults(name, { gcTime: Number.POSITIVE_INFINITY })
  const [key, setKey] = useState(() => client.getQueryData<string>(name))
  const store = (created: string) => {
    client.setQueryData(name, created)
    setKey(created)
  }
  return [key, store] as const
}

function KeyForCommands({ current, onCreated }: { current: string | undefined; onCreated(key: string): void }) {
  const { may } = useSession()
  const [opened, { open, close }] = useDisclosure()
  if (current)
    return (
      <Text fz="sm" c="dimmed" role="status">
        <Trans i18nKey="home.steps.with_key" components={{ a: <PageLink to="/keys" /> }} />
      </Text>
    )
  return (
    <Group gap="sm">
      <Text fz="sm" c="dimmed">
        {t(may('manage_integrations') ? 'home.steps.your_key_or' : 'home.steps.your_key')}
      </Text>
      {may('manage_integrations') && (
        <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
          {t('home.steps.new_key')}
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={t('keys.new.title')}>
        <ConfirmForm
          close={close}
          submit={t('keys.new.submit')}
          send={(confirmation) => api.post<{ key: string }>('/keys', { ...confirmation, name: 'first steps' })}
          done={({ key }) => onCreated(key)}
        />
      </Modal>
    </Group>
  )
}

/** The newest notification since the page was opened. */
function ReceivedEvent({ body }: { body: string }) {
  const { hook, data } = JSON.parse(body) as { hook: { event: string }; data: object }
  return (
    <Box mt="xs" role="status">
      <Text fz="sm" c="var(--mantine-color-text)">
        <Trans i18nKey="home.steps.just_now" values={{ event: hook.event }} components={{ code: <Code /> }} />
      </Text>
      <Code block tabIndex={0} role="region" aria-label={t('home.steps.newest')} fz="xs" mt={4} className="arrived">
        {JSON.stringify({ hook, data }, null, 1)}
      </Code>
    </Box>
  )
}

/** A link to a page of the console, inside a sentence. */
export function PageLink({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Anchor component={Link} to={to} inherit underline="always">
      {children}
    </Anchor>
  )
}

function Command({ title, text }: { title: string; text: string }) {
  return (
    <Box pos="relative">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={t('home.steps.command', { title })}
        fz="xs"
        pr={44}
        className="wrapped"
      >
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            pos="absolute"
            top={6}
            right={6}
            onClick={copy}
            aria-label={copied ? t('parts.copied') : t('home.steps.copy', { title })}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        )}
      </CopyButton>
    </Box>
  )
}

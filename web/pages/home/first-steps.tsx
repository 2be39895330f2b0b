import {
  ActionIcon,
  Anchor,
  Box,
  Button,
  Code,
  CopyButton,
  Grid,
  Group,
  Modal,
  Stack,
  Text,
  ThemeIcon,
} from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { live } from '../../live/stream.ts'
import { Panel } from '../../parts/panel.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Overview } from '../../wire.ts'
import { ConfirmForm } from '../account/confirm-form.tsx'
import { WAITING_PHONE } from '../phone/customers.ts'

/** The first steps for newcomers, each with an equivalent command. The user can hide them. */
export function FirstSteps({ requests }: Pick<Overview, 'requests'>) {
  const { organization } = useSession()
  const [hidden, setHidden] = useLocalStorage({
    key: `first-steps-done-${organization?.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (hidden) return null
  return (
    <Panel
      title={t('home.steps.title')}
      about={t('home.steps.about')}
      actions={
        <Button variant="subtle" size="xs" onClick={() => setHidden(true)}>
          {t('home.steps.hide')}
        </Button>
      }
    >
      <Steps requests={requests} />
    </Panel>
  )
}

function Steps({ requests }: Pick<Overview, 'requests'>) {
  const [key, setKey] = useStoredKey()
  const [newest, setNewest] = useState<string>()
  useEffect(() => live.follow({ onEvent: ({ body }) => setNewest(body) }), [])
  const paid = requests.successful > 0
  const phone = <PageLink to="/phone" />
  const service = { origin: window.location.origin, key: key ?? '$KEY' }
  return (
    <>
      <KeyForCommands current={key} onCreated={setKey} />
      <Step number={1} title={t('home.steps.request')} done={requests.total > 0} command={askCommand(service)}>
        <Trans i18nKey="home.steps.request_text" components={{ a: phone }} />
      </Step>
      <Step number={2} title={t('home.steps.approve')} done={paid} command={approveCommand(service)}>
        <Trans i18nKey="home.steps.approve_text" components={{ a: phone }} />
      </Step>
      <Step
        number={3}
        title={t('home.steps.webhook')}
        done={paid}
        command={followCommand(service)}
        result={newest && <ReceivedEvent body={newest} />}
      >
        <Trans
          i18nKey="home.steps.webhook_text"
          components={{ webhooks: <PageLink to="/webhooks" />, events: <PageLink to="/events" />, code: <Code /> }}
        />
      </Step>
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
        {t(may('manage_organization') ? 'home.steps.your_key_or' : 'home.steps.your_key')}
      </Text>
      {may('manage_organization') && (
        <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
          {t('home.steps.new_key')}
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={t('keys.new.title')}>
        <ConfirmForm
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

function PageLink({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Anchor component={Link} to={to} inherit underline="always">
      {children}
    </Anchor>
  )
}

function Step(props: {
  number: number
  title: string
  done: boolean
  command: string
  result?: ReactNode
  children: ReactNode
}) {
  const { number, title, done, command } = props
  return (
    <Grid component="section" aria-label={title} gap="sm">
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ThemeIcon size={26} radius="xl" variant={done ? 'filled' : 'default'} aria-hidden>
            {done ? <IconCheck size={16} /> : number}
          </ThemeIcon>
          <Stack gap={2} pt={2} miw={0}>
            <Text fw={600} fz="sm">
              {title}
              {done && <Box className="visually-hidden">{t('home.steps.done')}</Box>}
            </Text>
            <Text fz="sm" c="dimmed" component="div">
              {props.children}
            </Text>
          </Stack>
        </Group>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Command title={title} text={command} />
        {props.result}
      </Grid.Col>
    </Grid>
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

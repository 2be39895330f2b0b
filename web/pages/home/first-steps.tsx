import { Anchor, Box, Button, Code, CopyButton, Grid, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { useSession } from '../../session.tsx'
import type { Overview } from '../../wire.ts'
import { PATIENT } from '../phone/customers.ts'

/** What a newcomer does first, each step with the command that does the same. Who knows it all puts it away. */
export function FirstSteps({ requests }: Pick<Overview, 'requests'>) {
  const { organization } = useSession()
  const [gone, setGone] = useLocalStorage({
    key: `first-steps-done-${organization?.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (gone) return null
  const paid = requests.successful > 0
  const origin = window.location.origin
  return (
    <Panel
      title="First steps"
      about="The whole way of money, in three steps. In the commands, $KEY is your API key."
      actions={
        <Button variant="subtle" size="xs" onClick={() => setGone(true)}>
          Put this away
        </Button>
      }
    >
      <Grid gap="lg">
        <Step wide number={1} title="Ask a customer for money" done={requests.total > 0} command={askCommand(origin)}>
          On the <Phone>phone page</Phone>, or from your own program:
        </Step>
        <Step
          number={2}
          title="Approve it on the phone"
          done={paid}
          command={`npx kusanya simulate approve ${PATIENT}`}
        >
          Type the PIN 1234 on the <Phone>customer’s phone</Phone>, or in a terminal:
        </Step>
        <Step number={3} title="See it arrive" done={paid} command={eventsCommand(origin)}>
          Each change is an{' '}
          <Anchor component={Link} to="/events" inherit underline="always">
            event
          </Anchor>
          , and webhooks are told of it. <Code>npx kusanya listen</Code> brings them to your machine.
        </Step>
      </Grid>
    </Panel>
  )
}

function askCommand(origin: string): string {
  return `curl ${origin}/api/collectionrequests \\
  -H "Authorization: Token $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"phonenumber":"${PATIENT}","amount":"1500",
  "currency":"BXC","send_instructions":true}'`
}

function eventsCommand(origin: string): string {
  return `curl "${origin}/api/events?limit=3" \\
  -H "Authorization: Token $KEY"`
}

function Phone({ children }: { children: ReactNode }) {
  return (
    <Anchor component={Link} to="/phone" inherit underline="always">
      {children}
    </Anchor>
  )
}

function Step(props: {
  number: number
  wide?: boolean
  title: string
  done: boolean
  command: string
  children: ReactNode
}) {
  const { number, wide, title, done, command } = props
  return (
    <Grid.Col span={{ base: 12, sm: wide ? 12 : 6, lg: wide ? 6 : 3 }}>
      <Stack gap="xs" component="section" aria-label={title}>
        <Group gap="xs" wrap="nowrap">
          <ThemeIcon size={26} radius="xl" variant={done ? 'filled' : 'default'} aria-hidden>
            {done ? <IconCheck size={16} /> : number}
          </ThemeIcon>
          <Text fw={600} fz="sm">
            {title}
          </Text>
          {done && <Box className="visually-hidden">Done.</Box>}
        </Group>
        <Text fz="sm" c="dimmed" component="div">
          {props.children}
        </Text>
        <Code block tabIndex={0} role="region" aria-label={`Command: ${title}`} fz="xs" className="wrapped">
          {command}
        </Code>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="xs"
              onClick={copy}
              style={{ alignSelf: 'flex-start' }}
              aria-label={`Copy the command: ${title}`}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Grid.Col>
  )
}

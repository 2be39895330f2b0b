import { Anchor, Code, Group, List, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import type { Checklist } from '../../wire.ts'

type Item = Checklist['items'][number]

/** What is done and what is missing before real money moves. */
export default function GoLive() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/go-live'],
    queryFn: () => api.get<Checklist>('/go-live'),
    refetchInterval: 10_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const open = data.items.filter(({ state }) => state === 'open').length
  return (
    <>
      <BackLink to="/connections">Connections</BackLink>
      <PageHead title="Go-live checklist" about="What is done, and what is missing before real money moves." />
      {data.yours ? (
        <Panel
          title={open === 0 ? 'Nothing is missing' : open === 1 ? 'One thing is missing' : `${open} things are missing`}
        >
          <List listStyleType="none" spacing="md" center={false}>
            {data.items.map((item) => (
              <ChecklistItem key={item.name} item={item} />
            ))}
          </List>
        </Panel>
      ) : (
        <Panel title="The operator has it">
          <Text fz="sm">
            Several organizations are served here, so the checklist belongs to the operator of the service, who reads it
            with <Code>npx kusanya connections checklist</Code>.
          </Text>
        </Panel>
      )}
    </>
  )
}

const looks = {
  done: { color: 'green', icon: IconCheck, word: 'Done' },
  open: { color: 'red', icon: IconX, word: 'Missing' },
  advice: { color: 'yellow', icon: IconAlertTriangle, word: 'Look at it' },
} as const

/** Where in the console a thing is done. */
const links: Record<string, readonly [to: string, text: string]> = {
  owner: ['/users', 'Users'],
  api_key: ['/keys', 'API keys'],
  wallet_funds: ['/wallets', 'Wallets'],
  connection: ['/connections', 'Connections'],
  connection_tested: ['/connections', 'Connections'],
  places: ['/connections', 'Connections'],
  callback_address: ['/connections', 'Connections'],
  second_factor: ['/account', 'Your account'],
  second_manager: ['/users', 'Users'],
  approval_rules: ['/settings', 'Settings'],
  fees: ['/settings', 'Settings'],
}

function ChecklistItem({ item: { name, state, found, todo } }: { item: Item }) {
  const { color, icon: Icon, word } = looks[state]
  const link = links[name]
  return (
    <List.Item
      icon={
        <ThemeIcon size={22} radius="xl" color={color} variant="light" aria-hidden>
          <Icon size={14} />
        </ThemeIcon>
      }
    >
      <Text fz="sm" className="any-break">
        <b>{word}.</b> {found}
      </Text>
      {todo !== null && (
        <Group gap="xs" mt={4}>
          {link && (
            <Anchor component={Link} to={link[0]} fz="sm" underline="always">
              {link[1]}
            </Anchor>
          )}
          <Text fz="xs" c="dimmed" className="any-break">
            {link && todo.startsWith('npx ') ? `or in a terminal: ${todo}` : todo}
          </Text>
        </Group>
      )}
    </List.Item>
  )
}

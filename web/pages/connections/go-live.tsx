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
import { Trans, t } from '../../texts/index.ts'
import type { Checklist } from '../../wire.ts'
import { describeItem } from './checklist-words.ts'

type Item = Checklist['items'][number]

/** Completed and missing steps before real money moves. */
export default function GoLive() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/go-live'],
    queryFn: () => api.get<Checklist>('/go-live'),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const open = data.items.filter(({ state }) => state === 'open').length
  return (
    <>
      <BackLink to="/connections">{t('shell.nav.connections')}</BackLink>
      <PageHead title={t('connections.go_live.title')} about={t('connections.go_live.about')} />
      {data.yours ? (
        <Panel
          title={
            open === 0 ? t('connections.go_live.nothing_missing') : t('connections.go_live.missing', { count: open })
          }
        >
          <List listStyleType="none" spacing="md" center={false}>
            {data.items.map((item) => (
              <ChecklistItem key={item.name} item={item} />
            ))}
          </List>
        </Panel>
      ) : (
        <Panel title={t('connections.go_live.of_operator')}>
          <Text fz="sm">
            <Trans i18nKey="connections.go_live.of_operator_text" components={{ code: <Code /> }} />
          </Text>
        </Panel>
      )}
    </>
  )
}

const looks = {
  done: { color: 'green', icon: IconCheck, word: t('connections.go_live.states.done') },
  open: { color: 'red', icon: IconX, word: t('connections.go_live.states.open') },
  advice: { color: 'yellow', icon: IconAlertTriangle, word: t('connections.go_live.states.advice') },
} as const

/** Places in the console for each step. */
const links: Record<string, readonly [to: string, text: string]> = {
  owner: ['/users', t('shell.nav.users')],
  api_key: ['/keys', t('shell.nav.keys')],
  wallet_funds: ['/wallets', t('shell.nav.wallets')],
  connection: ['/connections', t('shell.nav.connections')],
  connection_tested: ['/connections', t('shell.nav.connections')],
  places: ['/connections', t('shell.nav.connections')],
  callback_address: ['/connections', t('shell.nav.connections')],
  second_factor: ['/account', t('shell.user_menu.account')],
  second_manager: ['/users', t('shell.nav.users')],
  approval_rules: ['/settings', t('shell.nav.settings')],
  fees: ['/settings', t('shell.nav.settings')],
}

function ChecklistItem({ item }: { item: Item }) {
  const { name, state } = item
  const { found, todo } = describeItem(item)
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
            {link && todo.startsWith('npx ') ? t('connections.go_live.or_in_terminal', { command: todo }) : todo}
          </Text>
        </Group>
      )}
    </List.Item>
  )
}

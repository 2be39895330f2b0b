import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Checklist, ConsoleConnectionDetail, Permission } from '../../wire.ts'
import { SecondFactorPanel } from '../account/second-factor.tsx'
import { CallbackAddress } from '../connections/callback-address.tsx'
import { connectionQuery } from '../connections/names.ts'
import { Places } from '../connections/places.tsx'
import { TestConnection } from '../connections/test-connection.tsx'
import { InviteDialog, type Sent, SentNotice } from '../users/dialogs.tsx'
import { FundWallet, OpenWallet, RenameWallet } from '../wallets/dialogs.tsx'
import { useWallets } from '../wallets/wallet-link.tsx'

interface ControlProps {
  item: Checklist['items'][number]
}

/** Forms and links by the name of the item. Items without one are settings of the service. */
export const controls: Readonly<Record<string, ComponentType<ControlProps>>> = {
  owner: linkTo('/users', t('shell.nav.users')),
  api_key: linkTo('/keys', t('keys.new.button')),
  wallet: OpenWallet,
  wallet_funds: EmptyWallets,
  connection: Connect,
  connection_tested: forConnections('connections.go_live.test', TestConnection),
  places: forConnections('connections.go_live.place', Places),
  callback_address: forConnections('connections.go_live.address', CallbackAddress),
  second_factor: SecondFactor,
  second_manager: SecondManager,
  approval_rules: linkTo('/settings', t('connections.go_live.set_rules')),
  fees: linkTo('/settings', t('connections.go_live.set_fees')),
  sms: linkTo('/add-connection', t('connections.add_button')),
}

/** A control that leads to the page of the step. */
function linkTo(to: string, text: string): ComponentType<ControlProps> {
  return () => (
    <Group>
      <Button component={Link} to={to} variant="default" size="xs">
        {text}
      </Button>
    </Group>
  )
}

/** Wallets without a balance, each with the forms that fund and name it. */
function EmptyWallets({ item }: ControlProps) {
  const { data, error } = useWallets()
  if (error) return <Problem error={error} />
  const empty = data?.results.filter(({ id }) => item.objects.includes(id)) ?? []
  return (
    <Stack gap="xs">
      {empty.map((wallet) => (
        <Group key={wallet.id} gap="xs" role="group" aria-label={wallet.name}>
          <Text fz="sm" fw={600} className="any-break">
            {wallet.name}
          </Text>
          <FundWallet wallet={wallet} />
          <RenameWallet wallet={wallet} />
        </Group>
      ))}
    </Stack>
  )
}

function Connect({ item: { objects } }: ControlProps) {
  return (
    <Group gap="xs">
      {objects.map((slug) => (
        <Button key={slug} component={Link} to={`/connections/${slug}`} variant="default" size="xs">
          {t('connections.go_live.finish', { slug })}
        </Button>
      ))}
      <Button component={Link} to="/add-connection" variant={objects.length > 0 ? 'default' : 'filled'} size="xs">
        {t('connections.add_button')}
      </Button>
    </Group>
  )
}

type ConnectionText = 'connections.go_live.test' | 'connections.go_live.place' | 'connections.go_live.address'
type ConnectionForm = ComponentType<{ connection: ConsoleConnectionDetail }>

/** A control with a dialog for each connection of the item. */
function forConnections(text: ConnectionText, Form: ConnectionForm): ComponentType<ControlProps> {
  return ({ item: { objects } }) =>
    objects.length === 0 ? (
      <Text fz="sm">{t('connections.go_live.connect_first')}</Text>
    ) : (
      <Group gap="xs">
        {objects.map((slug) => (
          <ConnectionDialog key={slug} slug={String(slug)} text={text} Form={Form} />
        ))}
      </Group>
    )
}

function ConnectionDialog({ slug, text, Form }: { slug: string; text: ConnectionText; Form: ConnectionForm }) {
  const [opened, { open, close }] = useDisclosure()
  const { data, error, refetch } = useQuery(connectionQuery(slug))
  const title = t(text, { network: data?.network ?? slug })
  return (
    <>
      <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
        {title}
      </Button>
      <Modal opened={opened} onClose={close} title={title} size="lg">
        {replacesContent(error, data) ? (
          <Problem error={error} retry={refetch} />
        ) : !data ? (
          <Loading />
        ) : data.own ? (
          <Form connection={data} />
        ) : (
          <Text fz="sm">{t('connections.of_operator.text')}</Text>
        )}
      </Modal>
    </>
  )
}

/** The user's own second factor. Other users set theirs up themselves. */
function SecondFactor() {
  const { user } = useSession()
  const [shown, { open }] = useDisclosure()
  if (user?.second_factor && !shown) return <Text fz="sm">{t('connections.go_live.others_set_up')}</Text>
  if (shown) return <SecondFactorPanel />
  return (
    <Group>
      <Button variant="default" size="xs" aria-expanded={false} onClick={open}>
        {t('connections.go_live.set_up_factor')}
      </Button>
    </Group>
  )
}

/** Permissions of a second manager, as the command of the item gives them. */
const MANAGER: Permission[] = ['view', 'manage_organization']

function SecondManager() {
  const [opened, { open, close }] = useDisclosure()
  const [sent, setSent] = useState<Sent & { to: string }>()
  return (
    <Stack gap="xs">
      {sent && <SentNotice {...sent} close={() => setSent(undefined)} />}
      <Group>
        <Button variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
          {t('connections.go_live.invite_manager')}
        </Button>
      </Group>
      <InviteDialog opened={opened} close={close} onSent={setSent} permissions={MANAGER} />
    </Stack>
  )
}

import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { joinParts } from '../../format.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { ConsoleConnectionDetail, NetworkDriver } from '../../wire.ts'
import { CallbackAddress } from './callback-address.tsx'
import { connectionQuery, describeCountries, driversQuery, kindNames } from './names.ts'
import { ChangeSettings, NewSettings } from './new-settings.tsx'
import { Places } from './places.tsx'
import { ActivateButton } from './state-buttons.tsx'
import { TestConnection } from './test-connection.tsx'

const STEPS = ['provider', 'environment', 'settings', 'wallets', 'test', 'activate'] as const
type Step = (typeof STEPS)[number]

/** Return the steps for a kind. Only networks move the money of wallets. */
const stepsOf = (kind: NetworkDriver['kind'] = 'network') =>
  STEPS.filter((step) => kind === 'network' || step !== 'wallets')

/** Choices so far. They are in the address, so that the page can be reloaded, and Back goes one step back. */
interface Chosen {
  network?: string
  environment?: string
  /** The draft, once it is stored. */
  connection?: string
  step?: 'settings' | 'wallets' | 'test' | 'activate'
}

/** The way from a provider to a connection in use, step by step. */
export default function AddConnection() {
  const chosen: Chosen = useSearch({ strict: false })
  if (chosen.connection !== undefined) return <DraftStep slug={chosen.connection} step={chosen.step ?? 'wallets'} />
  return <NewStep {...chosen} />
}

/** The steps before the draft is stored. */
function NewStep({ network, environment }: Chosen) {
  const { data, error, refetch } = useQuery(driversQuery)
  const navigate = useNavigate()
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const driver = data.find(({ code }) => code === network)
  const target = driver?.environments.find(({ name, refused }) => name === environment && !refused)
  if (!driver)
    return (
      <Frame step="provider" about={t('connections.add.provider_about')}>
        <ProviderCards drivers={data} />
      </Frame>
    )
  if (!target)
    return (
      <Frame
        kind={driver.kind}
        step="environment"
        about={t('connections.add.environment_about', { name: driver.name })}
      >
        <EnvironmentCards driver={driver} />
      </Frame>
    )
  const proceed = (slug: string) =>
    navigate({
      to: '/add-connection',
      search: { connection: slug, step: driver.kind === 'network' ? 'wallets' : 'test' } as never,
      replace: true,
    })
  return (
    <Frame
      kind={driver.kind}
      step="settings"
      about={t(target.live ? 'connections.add.settings_live' : 'connections.add.settings_test', {
        name: driver.name,
        environment: target.title,
      })}
    >
      <NewSettings driver={driver} environment={target} done={proceed} />
    </Frame>
  )
}

/** The frame of a step: which one it is, of how many. */
function Frame(props: { kind?: NetworkDriver['kind']; step: Step; about: string; children: ReactNode }) {
  const { kind, step, about, children } = props
  const steps = stepsOf(kind)
  const number = steps.indexOf(step) + 1
  return (
    <>
      <BackLink to="/connections">{t('shell.nav.connections')}</BackLink>
      <PageHead
        title={t('connections.add_button')}
        about={t('connections.add.progress', { number, total: steps.length, step: nameOf(step) })}
      />
      <ol className="steps" aria-label={t('connections.add.steps_label')}>
        {steps.map((name, index) => (
          <li key={name} aria-current={name === step ? 'step' : undefined} data-done={index + 1 <= number || undefined}>
            <span>{nameOf(name)}</span>
          </li>
        ))}
      </ol>
      <Panel title={nameOf(step)} about={about}>
        {children}
      </Panel>
    </>
  )
}

function nameOf(step: Step): string {
  return t(`connections.add.steps.${step}`)
}

function ProviderCards({ drivers }: { drivers: readonly NetworkDriver[] }) {
  if (drivers.length === 0) return <Text fz="sm">{t('connections.add.no_drivers')}</Text>
  return (
    <Stack>
      {[...Map.groupBy(drivers, ({ kind }) => kind)].map(([kind, of_kind]) => (
        <section key={kind} aria-labelledby={`kind-${kind}`}>
          <Title id={`kind-${kind}`} order={3} fz="md" mb="xs">
            {kindNames[kind].many}
          </Title>
          <Cards drivers={of_kind} />
        </section>
      ))}
    </Stack>
  )
}

function Cards({ drivers }: { drivers: readonly NetworkDriver[] }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {drivers.map(({ code, name, countries, currencies, environments }) => (
        <Link key={code} to={`/add-connection?network=${code}`} className="choice-card">
          <Text fw={600}>{name}</Text>
          <Text fz="sm">{describeCountries(countries)}</Text>
          {currencies.length > 0 && (
            <Text fz="xs" c="dimmed">
              {currencies.join(', ')}
            </Text>
          )}
          {!environments.some(({ live }) => live) && (
            <Badge mt="xs" variant="light" color="gray" tt="none">
              {t('connections.add.test_only')}
            </Badge>
          )}
        </Link>
      ))}
    </SimpleGrid>
  )
}

function EnvironmentCards({ driver: { code, environments } }: { driver: NetworkDriver }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {environments.map((environment) =>
        environment.refused ? (
          <div key={environment.name} className="choice-card">
            <Text fw={600}>{environment.title}</Text>
            <Text fz="sm">{t('connections.add.refused')}</Text>
          </div>
        ) : (
          <Link
            key={environment.name}
            to={`/add-connection?network=${code}&environment=${environment.name}`}
            className="choice-card"
          >
            <Text fw={600}>{environment.title}</Text>
            <Text fz="sm">{t(environment.live ? 'connections.add.live' : 'connections.add.test')}</Text>
          </Link>
        ),
      )}
    </SimpleGrid>
  )
}

/** The steps with a stored draft. */
function DraftStep({ slug, step }: { slug: string; step: NonNullable<Chosen['step']> }) {
  const { data, error, refetch } = useQuery(connectionQuery(slug))
  const navigate = useNavigate()
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const link = (to: NonNullable<Chosen['step']>) => `/add-connection?connection=${slug}&step=${to}`
  if (step === 'settings')
    return (
      <Frame kind={data.kind} step="settings" about={t('connections.add.repair_about', { slug })}>
        <ChangeSettings connection={data} done={() => navigate({ to: link('test') })} />
      </Frame>
    )
  if (step === 'wallets')
    return (
      <Frame step="wallets" about={t('connections.add.wallets_about', { slug })}>
        <Places connection={data} />
        <StepButtons back={link('settings')} next={link('test')} is_ready={data.places.length > 0} />
      </Frame>
    )
  if (step === 'test')
    return (
      <Frame kind={data.kind} step="test" about={t('connections.add.test_about', { slug })}>
        <TestConnection connection={data} after={<AfterTest connection={data} link={link} />} />
      </Frame>
    )
  return (
    <Frame kind={data.kind} step="activate" about={t('connections.add.activate_about', { slug })}>
      <Activate connection={data} />
    </Frame>
  )
}

function StepButtons({ back, next, is_ready }: { back: string; next: string; is_ready: boolean }) {
  return (
    <Group justify="space-between">
      <Button variant="default" component={Link} to={back}>
        {t('connections.back')}
      </Button>
      <Button variant={is_ready ? 'filled' : 'default'} component={Link} to={next}>
        {t(is_ready ? 'connections.continue' : 'connections.add.without_wallet')}
      </Button>
    </Group>
  )
}

function AfterTest({
  connection,
  link,
}: {
  connection: ConsoleConnectionDetail
  link(to: 'settings' | 'activate'): string
}) {
  if (connection.passed)
    return (
      <Button component={Link} to={link('activate')}>
        {t('connections.continue')}
      </Button>
    )
  return (
    <Button variant="default" component={Link} to={link('settings')}>
      {t('connections.add.change_settings')}
    </Button>
  )
}

/** Show the last step: the stored data, the address to register, and the button. */
function Activate({ connection }: { connection: ConsoleConnectionDetail }) {
  const { slug, kind, network, environment_title, live, places, passed, state } = connection
  const navigate = useNavigate()
  const is_in_use = state === 'active'
  return (
    <Stack>
      <Facts
        bare
        facts={[
          [t('connections.connection'), slug],
          [kindNames[kind].one, t('connections.add.network_of', { network, environment: environment_title })],
          [t('connections.add.money'), t(live ? 'connections.add.real_money' : 'connections.add.no_real_money')],
          ...(kind === 'network'
            ? [
                [
                  t('connections.wallets'),
                  joinParts(places.map(({ currency, number }) => t('connections.add.place', { currency, number }))) ||
                    t('connections.add.no_places'),
                ] as const,
              ]
            : []),
          [
            t('connections.test.title'),
            t(
              passed
                ? 'connections.add.passed'
                : passed === null
                  ? 'connections.add.untested'
                  : 'connections.add.not_passed',
            ),
          ],
        ]}
      />
      <CallbackAddress connection={connection} />
      {!passed && (
        <Alert color="yellow" title={t('connections.add.test_first')}>
          {t('connections.add.test_first_text')}
        </Alert>
      )}
      <Group justify="space-between">
        <Button variant="default" component={Link} to={`/add-connection?connection=${slug}&step=test`}>
          {t('connections.back')}
        </Button>
        <Group gap="xs">
          <Button variant="default" component={Link} to={`/connections/${slug}`}>
            {t(is_in_use ? 'connections.add.view' : 'connections.add.leave')}
          </Button>
          {!is_in_use && (
            <ActivateButton connection={connection} done={() => navigate({ to: `/connections/${slug}` })} />
          )}
        </Group>
      </Group>
    </Stack>
  )
}

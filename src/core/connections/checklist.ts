import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type DiskSpace, measureSpace } from '../../lib/disk-space.ts'
import { secondFactorOf } from '../access/second-factors.ts'
import {
  type ChecklistName,
  type ChecklistValues,
  type ChecklistVariant,
  writeFound,
  writeTodo,
} from './checklist-texts.ts'
import { builtInSlugs } from './sandbox-networks.ts'

/** Item of the checklist: required before real money moves, or recommended. */
export interface ChecklistItem {
  /** Name for programs: it stays the same when the texts change. */
  name: string
  /** `open`: without it no money moves, or not safely. `advice`: look at it, and decide. */
  state: 'done' | 'open' | 'advice'
  /** Variant of the item's `found` sentence, and the values it names, for other languages. */
  variant: string
  values: ChecklistValues
  /** Ids of the wallets, or slugs of the connections, that the item is about. */
  objects: readonly (number | string)[]
  /** Finding in words. */
  found: string
  /** Commands to type for it, in this order, if any. */
  commands: readonly string[]
  /** Task in words; null when there is none. */
  todo: string | null
}

/** Facts from the settings and the machine. */
export interface Installation {
  mode: 'sandbox' | 'live'
  /** PUBLIC_URL, if it is set; `is_public_https`: true if the internet can reach it over https. */
  public_url: string | null
  is_public_https: boolean
  /** True if the service trusts the proxy in front of it. */
  trusts_proxy: boolean
  has_mail: boolean
  has_sms: boolean
  collection_currencies: readonly string[]
  /** The folder of the embedded PostgreSQL; null with a PostgreSQL of one's own. */
  data_folder: string | null
  /** The disk of the data; null where it is not known. */
  disk: DiskSpace | null
  /** The codes of the drivers and their environments in which real money moves, as `driver:environment`. */
  live_environments: readonly string[]
  /** Names of networks, by the code of their driver. */
  network_names: Readonly<Record<string, string>>
}

/** Wallet or connection with the name that people know. */
interface Named {
  id: number | string
  name: string
}

interface Counts {
  organizations: number
  organizations_without_owner: string[]
  organizations_with_one_manager: string[]
  managers_without_factor: string[]
  wallets: number
  empty_wallets: Named[]
  foreign_currencies: string[]
  keys: number
  drafts: Named[]
  active: Named[]
  sms_connections: number
  not_passed: Named[]
  wallets_without_place: Named[]
  collecting_places: number
  currencies_without_rule: string[]
  fees: number
}

/** Reads the checklist for going live, done and missing, in working order. */
export async function readChecklist(db: Reader, installation: Installation): Promise<ChecklistItem[]> {
  const counts = await readCounts(db, installation)
  return [
    ...organizationItems(counts),
    ...walletItems(counts, installation),
    ...connectionItems(counts, installation),
    ...controlItems(counts),
    ...installationItems(counts, installation),
  ]
}

/** Sentence of an item, with the values it names. */
type Sentence<Name extends ChecklistName> = readonly [ChecklistVariant<Name>, ChecklistValues?]

function write<Name extends ChecklistName>(
  name: Name,
  state: ChecklistItem['state'],
  [variant, values = {}]: Sentence<Name>,
  commands: readonly string[],
  about: readonly Named[] = [],
): ChecklistItem {
  const found = writeFound(name, variant, values)
  const objects = about.map(({ id }) => id)
  return state === 'done'
    ? { name, state, variant, values, objects, found, commands: [], todo: null }
    : { name, state, variant, values, objects, found, commands, todo: writeTodo(name, commands) }
}

/** Return the names of objects. Only a name that several of them have is followed by the id. */
function namesOf(objects: readonly Named[]): string[] {
  const isShared = (name: string) => objects.filter((one) => one.name === name).length > 1
  return objects.map(({ id, name }) => (isShared(name) ? `${name} (${id})` : name))
}

/**
 * Builds an item.
 * @param isDone true if there is nothing to do. The first sentence is for that case, the second one for the other
 * @param options.about the wallets or connections that the item is about
 */
function item<Name extends ChecklistName>(
  name: Name,
  isDone: boolean,
  [done, missing]: readonly [Sentence<Name>, Sentence<Name>],
  commands: readonly string[],
  { otherwise = 'open', about = [] }: { otherwise?: 'open' | 'advice'; about?: readonly Named[] } = {},
): ChecklistItem {
  return isDone ? write(name, 'done', done, [], about) : write(name, otherwise, missing, commands, about)
}

function organizationItems(counts: Counts): ChecklistItem[] {
  const { organizations, organizations_without_owner: bare, keys } = counts
  return [
    item('organization', organizations > 0, [['done', { count: organizations }], ['missing']], ['npx kusanya setup']),
    item(
      'owner',
      organizations > 0 && bare.length === 0,
      [['done'], bare.length > 0 ? ['missing', { organizations: bare }] : ['none']],
      ['npx kusanya users create --permissions all', 'npx kusanya users password'],
    ),
    item('api_key', keys > 0, [['done'], ['missing']], ['npx kusanya keys create --name webshop'], {
      otherwise: 'advice',
    }),
  ]
}

function walletItems(counts: Counts, { collection_currencies }: Installation): ChecklistItem[] {
  const { wallets, empty_wallets, foreign_currencies } = counts
  return [
    item('wallet', wallets > 0, [['done', { count: wallets }], ['missing']], ['npx kusanya accounts create UGX']),
    item(
      'wallet_funds',
      wallets > 0 && empty_wallets.length === 0,
      [['done'], empty_wallets.length > 0 ? ['missing', { wallets: namesOf(empty_wallets) }] : ['all_missing']],
      [`npx kusanya accounts fund ${empty_wallets[0]?.id ?? '<account>'} <amount>`],
      { about: empty_wallets },
    ),
    item(
      'collection_currencies',
      foreign_currencies.length === 0,
      [
        ['done', { currencies: collection_currencies }],
        ['missing', { currencies: foreign_currencies }],
      ],
      [],
    ),
  ]
}

function connectionItems(counts: Counts, installation: Installation): ChecklistItem[] {
  const { active, drafts, not_passed, wallets_without_place: bare, collecting_places, wallets } = counts
  const { public_url, is_public_https } = installation
  const is_used = active.length > 0
  const [draft] = drafts
  const first = (active[0] ?? draft)?.id ?? '<slug>'
  return [
    item(
      'connection',
      is_used,
      [
        ['done', { connections: namesOf(active) }],
        drafts.length > 0 ? ['drafts_only', { connections: namesOf(drafts) }] : ['missing'],
      ],
      draft
        ? [`npx kusanya connections test ${draft.id}`, `npx kusanya connections resume ${draft.id}`]
        : ['npx kusanya connections add'],
      { about: is_used ? active : drafts },
    ),
    item(
      'connection_tested',
      is_used && not_passed.length === 0,
      [['done'], is_used ? ['missing', { connections: namesOf(not_passed) }] : ['none']],
      [`npx kusanya connections test ${(not_passed[0] ?? drafts[0])?.id ?? '<slug>'}`],
      { about: is_used ? not_passed : drafts },
    ),
    item(
      'places',
      wallets > 0 && collecting_places > 0 && bare.length === 0,
      [['done'], bare.length > 0 ? ['missing', { wallets: namesOf(bare) }] : ['all_missing']],
      [`npx kusanya connections places add ${first} ${bare[0]?.id ?? '<account>'} <number>`],
      { about: [...active, ...drafts] },
    ),
    item(
      'callback_address',
      is_public_https,
      [['done', { url: public_url ?? '' }], public_url === null ? ['missing'] : ['not_public', { url: public_url }]],
      [`npx kusanya connections callbacks ${first}`],
      { about: active },
    ),
  ]
}

function controlItems(counts: Counts): ChecklistItem[] {
  const {
    managers_without_factor: bare,
    organizations_with_one_manager: alone,
    currencies_without_rule: free,
    fees,
  } = counts
  const has_organization = counts.organizations > 0
  return [
    item(
      'second_factor',
      has_organization && bare.length === 0,
      [['done'], bare.length > 0 ? ['missing', { users: bare }] : ['all_missing']],
      ['npx kusanya organizations second-factor'],
    ),
    item(
      'second_manager',
      has_organization && alone.length === 0,
      [['done'], alone.length > 0 ? ['missing', { organizations: alone }] : ['all_missing']],
      ['npx kusanya users create --permissions view,manage_organization'],
      { otherwise: 'advice' },
    ),
    item(
      'approval_rules',
      counts.wallets > 0 && free.length === 0,
      [['done'], free.length > 0 ? ['missing', { currencies: free }] : ['all_missing']],
      ['npx kusanya organizations approval', 'npx kusanya organizations limits'],
      { otherwise: 'advice' },
    ),
    item('fees', fees > 0, [['done'], ['missing']], ['npx kusanya fees set'], { otherwise: 'advice' }),
  ]
}

function installationItems({ sms_connections }: Counts, installation: Installation): ChecklistItem[] {
  const { data_folder: folder, public_url, trusts_proxy, has_mail, has_sms, disk } = installation
  const sends_sms = has_sms || sms_connections > 0
  return [
    write('backups', 'advice', folder === null ? ['own'] : ['embedded', { folder }], []),
    item('sms', sends_sms, [['done'], ['missing']], ['npx kusanya connections add'], { otherwise: 'advice' }),
    item('mail', has_mail, [['done'], ['missing']], [], { otherwise: 'advice' }),
    item('proxy', public_url === null || trusts_proxy, [['done'], ['missing']], [], { otherwise: 'advice' }),
    item('disk', disk === null || disk.level === 'enough', [['done'], disk ? lackOfSpace(disk) : ['low']], []),
  ]
}

function lackOfSpace(space: DiskSpace): Sentence<'disk'> {
  const { folder, level } = space
  return [level === 'full' ? 'full' : 'low', { folder, ...measureSpace(space) }]
}

/** Permissions whose holders need a second factor. */
const MOVING = ['initiate_payments', 'approve_payments', 'manage_organization']

async function readCounts(db: Reader, installation: Installation): Promise<Counts> {
  const { live_environments, mode, collection_currencies } = installation
  const counts_here =
    mode === 'live' ? sql`c.driver || ':' || c.environment = any(${live_environments}::text[])` : sql.always
  const manages = sql`u.kind = 'person' and 'manage_organization' = any(m.permissions)`
  const is_wallet = sql`a.kind in ('local', 'cross_border') and a.status = 'active'`
  const wallets = sql`coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by a.id), '[]')`
  const connections = sql`coalesce(jsonb_agg(jsonb_build_object('slug', c.slug, 'driver', c.driver) order by c.id), '[]')`
  const managers = sql`(select count(*) from memberships m join users u on u.id = m."user" where m.organization = o.id and ${manages})`
  type Found = Omit<Counts, 'drafts' | 'active' | 'not_passed'> &
    Record<'drafts' | 'active' | 'not_passed', FoundConnection[]>
  const [counts] = await db<Found[]>`
    select
      (select count(*) from organizations) as organizations,
      array(select o.name from organizations o where ${managers} = 0 order by o.id) as organizations_without_owner,
      array(select o.name from organizations o where ${managers} = 1 order by o.id) as organizations_with_one_manager,
      array(select distinct u.email from memberships m join users u on u.id = m."user"
        where u.kind = 'person' and m.permissions && ${MOVING}::text[] and not ${secondFactorOf('u')}) as managers_without_factor,
      (select count(*) from accounts a where ${is_wallet}) as wallets,
      (select ${wallets} from accounts a where ${is_wallet} and a.balance <= 0) as empty_wallets,
      array(select distinct a.currency from accounts a
        where ${is_wallet} and a.currency <> all(${collection_currencies}::text[])) as foreign_currencies,
      (select count(*) from api_keys where revoked is null) as keys,
      (select ${connections} from connections c where c.state = 'draft' and c.kind = 'network' and ${counts_here}) as drafts,
      (select ${connections} from connections c where c.state = 'active' and c.kind = 'network' and ${counts_here}) as active,
      (select count(*) from connections c where c.state = 'active' and c.kind = 'sms' and ${counts_here}) as sms_connections,
      (select ${connections} from connections c where c.state = 'active' and c.slug <> all(${builtInSlugs}::text[]) and ${counts_here}
        and (c.last_test is null or exists (select from jsonb_array_elements(c.last_test) t
          where t->>'outcome' in ('failed', 'unknown')))) as not_passed,
      (select ${wallets} from accounts a where ${is_wallet} and not exists (
        select from connection_places p join connections c on c.slug = p.connection
        where p.account = a.id and c.state <> 'removed' and ${counts_here})) as wallets_without_place,
      (select count(*) from connection_places p join connections c on c.slug = p.connection
        where p.collects and c.state <> 'removed' and ${counts_here}) as collecting_places,
      array(select distinct a.currency from accounts a where ${is_wallet}
        and not exists (select from approval_rules r where r.organization = a.organization and r.currency = a.currency)
        and not exists (select from payment_limits l where l.organization = a.organization and l.currency = a.currency))
        as currencies_without_rule,
      (select count(*) from fees) as fees`
  const { network_names } = installation
  const name = (found: readonly FoundConnection[]) =>
    found.map(({ slug, driver }) => ({ id: slug, name: network_names[driver] ?? slug }))
  const { drafts, active, not_passed, ...others } = counts!
  return { ...others, drafts: name(drafts), active: name(active), not_passed: name(not_passed) }
}

interface FoundConnection {
  slug: string
  driver: string
}

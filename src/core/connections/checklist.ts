import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { secondFactorOf } from '../access/second-factors.ts'
import { builtInSlugs } from './sandbox-networks.ts'

/** One thing to do before real money moves, or better done. */
export interface ChecklistItem {
  /** For programs: it stays the same when the texts change. */
  name: string
  /** `open`: without it no money moves, or not safely. `advice`: look at it, and decide. */
  state: 'done' | 'open' | 'advice'
  /** What was found. */
  found: string
  /** What to do; null when there is nothing to do. */
  todo: string | null
}

/** What the settings and the machine say. */
export interface Installation {
  mode: 'sandbox' | 'live'
  /** PUBLIC_URL, if it is set, and whether the internet can reach it over https. */
  public_url: string | null
  is_public_https: boolean
  /** Whether the service listens on this machine only, behind a proxy, and whether the proxy is trusted. */
  trusts_proxy: boolean
  has_mail: boolean
  has_sms: boolean
  collection_currencies: readonly string[]
  /** The folder of the embedded PostgreSQL; null with a PostgreSQL of one's own. */
  data_folder: string | null
  /** What is wrong with the disk, in a sentence; null when nothing is. */
  disk: string | null
  /** The codes of the drivers and their environments in which real money moves, as `driver:environment`. */
  live_environments: readonly string[]
}

interface Counts {
  organizations: number
  organizations_without_owner: string[]
  organizations_with_one_manager: string[]
  managers_without_factor: string[]
  wallets: number
  empty_wallets: number[]
  foreign_currencies: string[]
  keys: number
  drafts: string[]
  active: string[]
  sms_connections: number
  not_passed: string[]
  wallets_without_place: number[]
  collecting_places: number
  currencies_without_rule: string[]
  fees: number
}

/** What is done and what is missing for going live, in the order in which one does it. */
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

/** @param isDone whether there is nothing to do. The first text is for that case, the second one for the other */
function item(
  name: string,
  isDone: boolean,
  [done, missing]: readonly [string, string],
  todo: string,
  otherwise: 'open' | 'advice' = 'open',
): ChecklistItem {
  return isDone ? { name, state: 'done', found: done, todo: null } : { name, state: otherwise, found: missing, todo }
}

function organizationItems(counts: Counts): ChecklistItem[] {
  const { organizations, organizations_without_owner: bare, keys } = counts
  return [
    item(
      'organization',
      organizations > 0,
      [
        `There ${organizations === 1 ? 'is one organization' : `are ${organizations} organizations`}.`,
        'There is no organization.',
      ],
      'npx kusanya setup',
    ),
    item(
      'owner',
      organizations > 0 && bare.length === 0,
      ['Every organization has a person who manages it.', `Nobody manages ${bare.join(', ') || 'an organization'}.`],
      'npx kusanya users create --permissions all, then npx kusanya users password',
    ),
    item(
      'api_key',
      keys > 0,
      ['There is an API key.', 'There is no API key.'],
      'npx kusanya keys create --name webshop',
      'advice',
    ),
  ]
}

function walletItems(counts: Counts, { collection_currencies }: Installation): ChecklistItem[] {
  const { wallets, empty_wallets, foreign_currencies } = counts
  return [
    item(
      'wallet',
      wallets > 0,
      [`There ${wallets === 1 ? 'is one wallet' : `are ${wallets} wallets`}.`, 'There is no wallet.'],
      'npx kusanya accounts create UGX',
    ),
    item(
      'wallet_funds',
      wallets > 0 && empty_wallets.length === 0,
      [
        'Every wallet holds money.',
        `Without money, and so unable to collect: ${list(empty_wallets) || 'every wallet'}.`,
      ],
      'npx kusanya accounts fund <account> <amount>',
    ),
    item(
      'collection_currencies',
      foreign_currencies.length === 0,
      [
        `Collections are accepted in ${collection_currencies.join(', ')}.`,
        `Collections in ${list(foreign_currencies)} are refused: COLLECTION_CURRENCIES does not name it.`,
      ],
      'Set COLLECTION_CURRENCIES',
    ),
  ]
}

function connectionItems(counts: Counts, installation: Installation): ChecklistItem[] {
  const { active, drafts, not_passed, wallets_without_place, collecting_places, wallets } = counts
  const is_used = active.length > 0
  return [
    item(
      'connection',
      is_used,
      [`In use: ${list(active)}.`, drafts.length > 0 ? `Drafts only: ${list(drafts)}.` : 'No network is connected.'],
      drafts.length > 0
        ? `npx kusanya connections test ${drafts[0]}, then npx kusanya connections resume ${drafts[0]}`
        : 'npx kusanya connections add',
    ),
    item(
      'connection_tested',
      is_used && not_passed.length === 0,
      [
        'Every connection in use has passed its test.',
        is_used ? `Without a passed test: ${list(not_passed)}.` : 'Nothing was tested.',
      ],
      `npx kusanya connections test ${not_passed[0] ?? '<slug>'}`,
    ),
    item(
      'places',
      wallets > 0 && collecting_places > 0 && wallets_without_place.length === 0,
      ['Every wallet uses a connection.', `Without a connection: ${list(wallets_without_place) || 'every wallet'}.`],
      'npx kusanya connections places add <slug> <account> <number>',
    ),
    item(
      'callback_address',
      installation.is_public_https,
      [
        `Networks report to ${installation.public_url}.`,
        installation.public_url === null
          ? 'PUBLIC_URL is not set, so no callback of a network arrives.'
          : `No network reaches ${installation.public_url}: it is not a public https address.`,
      ],
      'Set PUBLIC_URL, then npx kusanya connections callbacks <slug>',
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
      [
        'Everybody who moves money or manages has a second factor.',
        `Without a second factor: ${list(bare) || 'everybody'}.`,
      ],
      'They set it up under "Your account"; npx kusanya organizations second-factor demands it',
    ),
    item(
      'second_manager',
      has_organization && alone.length === 0,
      [
        'Every organization has a second manager.',
        `Without a second manager, who confirms what weakens control: ${list(alone) || 'every organization'}.`,
      ],
      'npx kusanya users create --permissions view,manage_organization',
      'advice',
    ),
    item(
      'approval_rules',
      counts.wallets > 0 && free.length === 0,
      [
        'Payments have approval rules or limits in every currency.',
        `Payments without approval and without limits: ${list(free) || 'all'}.`,
      ],
      'npx kusanya organizations approval, npx kusanya organizations limits',
      'advice',
    ),
    item(
      'fees',
      fees > 0,
      ['Fees are set.', 'No fees are set, so nothing is charged.'],
      'npx kusanya fees set',
      'advice',
    ),
  ]
}

function installationItems({ sms_connections }: Counts, installation: Installation): ChecklistItem[] {
  const { data_folder, disk } = installation
  return [
    {
      name: 'backups',
      state: 'advice',
      found:
        data_folder === null
          ? 'The data is in your own PostgreSQL. Whether it is backed up cannot be seen from here.'
          : `The data is in the PostgreSQL that comes along, in ${data_folder}: on this disk only.`,
      todo: 'Back up the database and SECRET_KEY every day, apart from this machine, and try a restore (docs/operating.md)',
    },
    item(
      'sms',
      installation.has_sms || sms_connections > 0,
      ['SMS are sent.', 'No SMS provider is connected: no SMS reaches a customer.'],
      'npx kusanya connections add, with an SMS provider, or set SMS_URL',
      'advice',
    ),
    item(
      'mail',
      installation.has_mail,
      ['Mails are sent.', 'SMTP_URL is not set: no mail is sent about changes, invitations and new passwords.'],
      'Set SMTP_URL and MAIL_FROM',
      'advice',
    ),
    item(
      'proxy',
      installation.public_url === null || installation.trusts_proxy,
      ['The addresses of callers are known.', 'TRUST_PROXY is off: behind a proxy all callers count as one.'],
      'Set TRUST_PROXY if a proxy stands before the service',
      'advice',
    ),
    item('disk', disk === null, ['There is enough room on the disk.', disk ?? ''], 'Make room'),
  ]
}

function list(names: readonly (string | number)[]): string {
  const most = 5
  return names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')
}

/** Permissions whose holders need a second factor. */
const MOVING = ['initiate_payments', 'approve_payments', 'manage_organization']

async function readCounts(db: Reader, installation: Installation): Promise<Counts> {
  const { live_environments, mode, collection_currencies } = installation
  const counts_here =
    mode === 'live' ? sql`c.driver || ':' || c.environment = any(${live_environments}::text[])` : sql.always
  const manages = sql`u.kind = 'person' and 'manage_organization' = any(m.permissions)`
  const is_wallet = sql`a.kind in ('local', 'cross_border') and a.status = 'active'`
  const managers = sql`(select count(*) from memberships m join users u on u.id = m."user" where m.organization = o.id and ${manages})`
  const [counts] = await db<Counts[]>`
    select
      (select count(*) from organizations) as organizations,
      array(select o.name from organizations o where ${managers} = 0 order by o.id) as organizations_without_owner,
      array(select o.name from organizations o where ${managers} = 1 order by o.id) as organizations_with_one_manager,
      array(select distinct u.email from memberships m join users u on u.id = m."user"
        where u.kind = 'person' and m.permissions && ${MOVING}::text[] and not ${secondFactorOf('u')}) as managers_without_factor,
      (select count(*) from accounts a where ${is_wallet}) as wallets,
      array(select a.id from accounts a where ${is_wallet} and a.balance <= 0 order by a.id) as empty_wallets,
      array(select distinct a.currency from accounts a
        where ${is_wallet} and a.currency <> all(${collection_currencies}::text[])) as foreign_currencies,
      (select count(*) from api_keys where revoked is null) as keys,
      array(select c.slug from connections c where c.state = 'draft' and c.kind = 'network' and ${counts_here} order by c.id) as drafts,
      array(select c.slug from connections c where c.state = 'active' and c.kind = 'network' and ${counts_here} order by c.id) as active,
      (select count(*) from connections c where c.state = 'active' and c.kind = 'sms' and ${counts_here}) as sms_connections,
      array(select c.slug from connections c where c.state = 'active' and c.slug <> all(${builtInSlugs}::text[]) and ${counts_here}
        and (c.last_test is null or exists (select from jsonb_array_elements(c.last_test) t
          where t->>'outcome' in ('failed', 'unknown'))) order by c.id) as not_passed,
      array(select a.id from accounts a where ${is_wallet} and not exists (
        select from connection_places p join connections c on c.slug = p.connection
        where p.account = a.id and c.state <> 'removed' and ${counts_here}) order by a.id) as wallets_without_place,
      (select count(*) from connection_places p join connections c on c.slug = p.connection
        where p.collects and c.state <> 'removed' and ${counts_here}) as collecting_places,
      array(select distinct a.currency from accounts a where ${is_wallet}
        and not exists (select from approval_rules r where r.organization = a.organization and r.currency = a.currency)
        and not exists (select from payment_limits l where l.organization = a.organization and l.currency = a.currency))
        as currencies_without_rule,
      (select count(*) from fees) as fees`
  return counts!
}

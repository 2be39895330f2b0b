import { createHmac } from 'node:crypto'
import { billDrivers } from '../billers/index.ts'
import { SETTINGS_SMS } from '../core/connections/connections.ts'
import {
  SANDBOX_NETWORK,
  SANDBOX_NETWORK_PRIORITY,
  type SandboxNetwork,
  sandboxBillProviders,
  sandboxNetworks,
} from '../core/connections/sandbox-networks.ts'
import { type SmsSettings, toHttpConnection } from '../senders/http/from-settings.ts'
import { readHosts, type StoredConnection } from './registry.ts'

/** Parts of the connections to the sandbox's simulated networks. */
export interface SandboxParts {
  /** The address of the sandbox's own network. It is known once the simulator listens, so it is read at each call. */
  url(): string
  /** Authenticate our calls to the sandbox's own network. */
  secret: string
  /** The hosts of a simulated network, by the names that its driver has for them. Read at each call, too. */
  hostsOf(driver: string): Record<string, string>
  /** The certificate of the simulated Daraja, with which its passwords are encrypted. */
  certificate: string
  /** The address of the service for the callbacks of the simulated networks. */
  callback_base(): string
}

/** The connections of the sandbox that are opened without settings of a person. */
export function builtInConnections(parts: SandboxParts): StoredConnection[] {
  return [
    sandboxConnection(parts),
    ...sandboxNetworks.map((network) => simulatedConnection(network, parts)),
    ...sandboxBillProviders.map((provider) => simulatedBillProvider(provider, parts)),
  ]
}

/**
 * Make the connection of the SMS provider in the program's settings, with the driver `http`. It serves where no other
 * active connection can, or where a route names it.
 * @param secret of its callback address, in hexadecimal
 * @throws WrongSetting
 */
export function settingsConnection(
  { MODE, ...settings }: Omit<SmsSettings, 'SMS_URL'> & { SMS_URL?: string | undefined; MODE: 'sandbox' | 'live' },
  secret: string,
): StoredConnection[] {
  const { SMS_URL } = settings
  if (SMS_URL === undefined) return []
  return [
    {
      slug: SETTINGS_SMS,
      driver: 'http',
      environment: MODE === 'live' ? 'production' : 'test',
      kind: 'sms',
      organization: null,
      state: 'active',
      priority: 1_000,
      callback_secret: createHmac('sha256', secret).update(SETTINGS_SMS).digest('hex').slice(0, 32),
      hosts: {},
      settings: toHttpConnection({ ...settings, SMS_URL }),
      places: [],
      max_concurrent: 200,
      max_per_second: 10_000,
      from_settings: true,
      settings_read: new Date(),
    },
  ]
}

/** The sandbox's own network carries everything that no other connection carries. */
function sandboxConnection({ url, secret }: SandboxParts): StoredConnection {
  return {
    ...common({ slug: SANDBOX_NETWORK, driver: 'sandbox', environment: 'sandbox' }),
    priority: 1_000,
    callback_secret: secret.slice(0, 32),
    hosts: {
      get api() {
        return url()
      },
    },
    settings: { secret },
    places: null,
  }
}

/** A real network that is simulated. The accounts that use it are stored. */
function simulatedConnection(
  network: SandboxNetwork,
  { secret, hostsOf, certificate }: SandboxParts,
): StoredConnection {
  const { slug, driver } = network
  return {
    ...common(network),
    priority: SANDBOX_NETWORK_PRIORITY,
    callback_secret: createHmac('sha256', secret).update(slug).digest('hex').slice(0, 32),
    hosts: {
      get api() {
        return hostsOf(driver).api ?? ''
      },
    },
    settings: { ...simulatedSettings[driver], ...(driver === 'daraja' && { certificate }) },
    places: [],
  }
}

/** A real bill provider that is simulated. Without its row, which comes with its offers, it is not used. */
function simulatedBillProvider(
  provider: (typeof sandboxBillProviders)[number],
  { secret, hostsOf }: SandboxParts,
): StoredConnection {
  const { slug, driver, environment } = provider
  const named = billDrivers.find(({ code }) => code === driver)?.environments[environment]?.hosts ?? {}
  return {
    ...common(provider),
    state: 'paused',
    priority: SANDBOX_NETWORK_PRIORITY,
    places: null,
    callback_secret: createHmac('sha256', secret).update(slug).digest('hex').slice(0, 32),
    hosts: readHosts(Object.keys(named), (name) => hostsOf(driver)[name] ?? ''),
    settings: { ...simulatedSettings[driver] },
  }
}

function common({ slug, driver, environment }: Pick<SandboxNetwork, 'slug' | 'driver' | 'environment'>) {
  return {
    slug,
    driver,
    environment,
    organization: null,
    state: 'active' as const,
    max_concurrent: 1_000,
    max_per_second: 10_000,
  }
}

/** The documented credentials of the simulated networks, by the code of the driver. They open nothing else. */
const simulatedSettings: Readonly<Record<string, Record<string, unknown>>> = {
  'mtn-momo': {
    target_environment: 'mtnuganda',
    collection_subscription_key: 'simulated-collection-subscription-key',
    collection_api_user: '6d746e2d-6d6f-4d6f-8000-73696d756c61',
    collection_api_key: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    disbursement_subscription_key: 'simulated-disbursement-subscription-key',
  },
  'airtel-money': {
    country: 'UG',
    client_id: 'simulated-airtel-client',
    client_secret: 'simulated-airtel-secret',
    pin: '4321',
    callback_key: 'simulated-airtel-callback-key',
  },
  vtpass: {
    api_key: 'simulated-vtpass-api-key',
    public_key: 'PK_simulated-vtpass-public-key',
    secret_key: 'SK_simulated-vtpass-secret-key',
  },
  reloadly: {
    client_id: 'simulated-reloadly-client',
    client_secret: 'simulated-reloadly-secret',
    webhook_secret: 'simulated-reloadly-webhook-secret',
    // Countries in which the sandbox has wallets.
    countries: 'KE, NG, UG',
  },
  daraja: {
    consumer_key: 'simulated-consumer-key',
    consumer_secret: 'simulated-consumer-secret',
    // This short code has every product.
    short_code: '600000',
    payout_short_code: '600000',
    passkey: 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919',
    initiator: 'testapi',
    initiator_password: 'Simulated#999',
    // The simulated network calls from this machine, under any of its addresses.
    sender_addresses: '0.0.0.0/0, ::/0',
  },
}

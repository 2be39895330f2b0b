import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { findSmsWay, routableConnections } from '../../connections/sms.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { listConsents } from '../../core/sms/consents.ts'
import { readCountryRules } from '../../core/sms/country-rules.ts'
import { listSenderIds, listSmsRoutes } from '../../core/sms/routes.ts'
import { monthOf, readSmsLimits, readSmsUsage } from '../../core/sms/usage.ts'
import { viewRoute, viewSender } from '../../core/sms/views.ts'
import { smsWords } from '../../core/sms/words.ts'
import type { Tx } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { SMS_SETTINGS, SmsSettingsView } from './view.ts'

const MONTHS = 6
const MAX_OPT_OUTS = 20

/**
 * Add the routes of the console that read the settings of SMS: usage and limit, sender ids, routes, consent, and country
 * rules. Actions change them (`core/sms/actions.ts`).
 */
export function addSmsSettings(server: Server, app: App): void {
  addView(server, app, {
    url: SMS_SETTINGS,
    permission: 'view',
    answer: SmsSettingsView,
    source: 'primary',
    read: (tx, { organization, permissions, now }) =>
      readSettings(app, tx, now, { organization, may_manage: permissions.has('manage_organization') }),
  })
}

async function readSettings(
  app: App,
  tx: Tx,
  now: Date,
  { organization, may_manage }: { organization: number; may_manage: boolean },
) {
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1))
  const [months, [limit], routes, senders, rules, opt_outs, alone] = await Promise.all([
    readSmsUsage(tx, { organization, since }),
    readSmsLimits(tx, [organization]),
    listSmsRoutes(tx, organization),
    listSenderIds(tx, organization),
    readCountryRules(tx),
    listConsents(tx, { organization, state: 'withdrawn' }, MAX_OPT_OUTS),
    isOnlyOrganization(tx, organization),
  ])
  const editable = alone && may_manage
  return {
    months,
    opt_outs,
    editable,
    may_manage,
    parts_this_month: months.find(({ month }) => monthOf(now).startsWith(month))?.parts ?? 0,
    monthly_parts: limit?.monthly_parts ?? null,
    stop_covers_receipts: limit?.stop_covers_receipts ?? false,
    routes: routes.map(viewRoute),
    senders: senders.map(viewSender),
    rules: [...rules.values()].sort((a, b) => (a.country < b.country ? -1 : 1)),
    words: smsWords,
    way: findSmsWay(app, organization),
    connections: editable ? routableConnections(app) : [],
  }
}

import {
  IconAddressBook,
  IconArrowUpRight,
  IconBolt,
  IconCash,
  IconCashBanknote,
  IconChartBar,
  IconChecks,
  IconDeviceMobile,
  IconFileCheck,
  IconFileInvoice,
  IconFileSpreadsheet,
  IconHistory,
  IconHome,
  IconKey,
  IconLink,
  IconListCheck,
  IconMessage,
  IconPlugConnected,
  IconReceipt,
  IconRepeat,
  IconScale,
  IconSend,
  IconSettings,
  IconShieldCheck,
  IconUser,
  IconUsers,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import { t } from '../texts/index.ts'
import type { Permission } from '../wire.ts'
import { ApprovalCount } from './approvals/count.tsx'

/** Page of the console. */
export interface Page {
  /** Below `/console`; `$id` is a parameter. */
  path: string
  component: ComponentType
  /** The permission that the page needs. */
  permission?: Permission
  /** True for pages that exist only in the sandbox. */
  sandbox?: boolean
  /** Entry in the navigation; pages of single objects have none. */
  nav?: {
    label: string
    icon: ComponentType<{ size?: number; stroke?: number }>
    group: Group
    /** Number of objects there that wait for the user. */
    count?: ComponentType
  }
}

/** The sections of the navigation, in order. */
export const groups = ['overview', 'money_in', 'money_out', 'books', 'developers', 'organization'] as const
export type Group = (typeof groups)[number]

/** Pages in the order of the navigation. Each is loaded when it is first opened. */
export const pages: Page[] = [
  {
    path: '/',
    component: lazy(() => import('./home/home.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.home'), icon: IconHome, group: 'overview' },
  },
  {
    path: '/phone',
    component: lazy(() => import('./phone/phone.tsx')),
    permission: 'view',
    sandbox: true,
    nav: { label: t('shell.nav.phone'), icon: IconDeviceMobile, group: 'overview' },
  },
  {
    path: '/collectionrequests',
    component: lazy(() => import('./collection-requests/collection-requests.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.collection_requests'), icon: IconCash, group: 'money_in' },
  },
  {
    path: '/collectionrequests/many',
    component: lazy(() => import('./collection-requests/many.tsx')),
    permission: 'initiate_collections',
  },
  {
    path: '/collectionrequests/$id',
    component: lazy(() => import('./collection-request.tsx')),
    permission: 'view',
  },
  {
    path: '/plans',
    component: lazy(() => import('./plans/plans.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.plans'), icon: IconRepeat, group: 'money_in' },
  },
  {
    path: '/plans/$id',
    component: lazy(() => import('./plans/plan.tsx')),
    permission: 'view',
  },
  {
    path: '/payment-links',
    component: lazy(() => import('./payment-links/payment-links.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.payment_links'), icon: IconLink, group: 'money_in' },
  },
  {
    path: '/payment-links/$id',
    component: lazy(() => import('./payment-links/payment-link.tsx')),
    permission: 'view',
  },
  {
    path: '/invoices',
    component: lazy(() => import('./invoices/invoices.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.invoices'), icon: IconFileInvoice, group: 'money_in' },
  },
  {
    path: '/invoices/new',
    component: lazy(() => import('./invoices/editor.tsx')),
    permission: 'initiate_collections',
  },
  {
    path: '/invoices/file',
    component: lazy(() => import('./invoices/import.tsx')),
    permission: 'initiate_collections',
  },
  {
    path: '/invoices/for-tag',
    component: lazy(() => import('./invoices/for-tag.tsx')),
    permission: 'initiate_collections',
  },
  {
    path: '/invoices/by-tag',
    component: lazy(() => import('./invoices/by-tag.tsx')),
    permission: 'view',
  },
  {
    path: '/invoices/$id',
    component: lazy(() => import('./invoices/invoice.tsx')),
    permission: 'view',
  },
  {
    path: '/invoices/$id/edit',
    component: lazy(() => import('./invoices/editor.tsx')),
    permission: 'initiate_collections',
  },
  {
    path: '/receipts',
    component: lazy(() => import('./receipts/receipts.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.receipts'), icon: IconFileCheck, group: 'money_in' },
  },
  {
    path: '/collections',
    component: lazy(() => import('./collections/collections.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.collections'), icon: IconCashBanknote, group: 'money_in' },
  },
  {
    path: '/collections/$id',
    component: lazy(() => import('./collection.tsx')),
    permission: 'view',
  },
  {
    path: '/unassigned',
    component: lazy(() => import('./collections/unassigned.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/contacts',
    component: lazy(() => import('./contacts/contacts.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.contacts'), icon: IconAddressBook, group: 'money_in' },
  },
  {
    path: '/contacts/import',
    component: lazy(() => import('./contacts/import.tsx')),
    permission: 'manage_contacts',
  },
  {
    path: '/contacts/$id',
    component: lazy(() => import('./contacts/contact.tsx')),
    permission: 'view',
  },
  {
    path: '/contacts/$id/statement',
    component: lazy(() => import('./contacts/statement.tsx')),
    permission: 'view',
  },
  {
    path: '/sms',
    component: lazy(() => import('./sms/sms.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.sms'), icon: IconMessage, group: 'money_in' },
  },
  {
    path: '/sms/opt-outs',
    component: lazy(() => import('./sms/opt-outs.tsx')),
    permission: 'view',
  },
  {
    path: '/sms/rules',
    component: lazy(() => import('./sms/rules.tsx')),
    permission: 'view',
  },
  {
    path: '/wallets',
    component: lazy(() => import('./wallets/wallets.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.wallets'), icon: IconWallet, group: 'money_in' },
  },
  {
    path: '/wallets/$id',
    component: lazy(() => import('./wallet.tsx')),
    permission: 'view',
  },
  {
    path: '/reports',
    component: lazy(() => import('./reports/reports.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.reports'), icon: IconChartBar, group: 'books' },
  },
  {
    path: '/reports/ageing',
    component: lazy(() => import('./reports/ageing.tsx')),
    permission: 'view',
  },
  {
    path: '/reports/unmatched',
    component: lazy(() => import('./reports/unmatched.tsx')),
    permission: 'view',
  },
  {
    path: '/reconciliation',
    component: lazy(() => import('./reconciliation/runs.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.reconciliation'), icon: IconScale, group: 'books' },
  },
  {
    path: '/reconciliation/$id',
    component: lazy(() => import('./reconciliation/run.tsx')),
    permission: 'view',
  },
  {
    path: '/payments',
    component: lazy(() => import('./payments/payments.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.payments'), icon: IconArrowUpRight, group: 'money_out' },
  },
  {
    path: '/payments/$id',
    component: lazy(() => import('./payment/payment.tsx')),
    permission: 'view',
  },
  {
    path: '/approvals',
    component: lazy(() => import('./approvals/approvals.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.approvals'), icon: IconChecks, group: 'money_out', count: ApprovalCount },
  },
  {
    path: '/bulk-payments',
    component: lazy(() => import('./bulk-payments/bulk-payments.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.bulk_payments'), icon: IconFileSpreadsheet, group: 'money_out' },
  },
  {
    path: '/bulk-payments/$id',
    component: lazy(() => import('./bulk-payments/bulk-payment.tsx')),
    permission: 'view',
  },
  {
    path: '/orders',
    component: lazy(() => import('./orders/orders.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.orders'), icon: IconListCheck, group: 'money_out' },
  },
  {
    path: '/bills',
    component: lazy(() => import('./purchases.tsx')),
    permission: 'pay_bills',
    nav: { label: t('shell.nav.bills'), icon: IconReceipt, group: 'money_out' },
  },
  {
    path: '/bills/catalogue',
    component: lazy(() => import('./catalogue.tsx')),
    permission: 'pay_bills',
  },
  {
    path: '/bills/catalogue/$id',
    component: lazy(() => import('./service.tsx')),
    permission: 'pay_bills',
  },
  {
    path: '/bills/providers',
    component: lazy(() => import('./bills/providers.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/bills/buy',
    component: lazy(() => import('./bills/buy.tsx')),
    permission: 'pay_bills',
  },
  {
    path: '/bills/$id',
    component: lazy(() => import('./purchase.tsx')),
    permission: 'pay_bills',
  },
  {
    path: '/events',
    component: lazy(() => import('./events.tsx')),
    permission: 'view',
    nav: { label: t('shell.nav.events'), icon: IconBolt, group: 'developers' },
  },
  {
    path: '/events/$id',
    component: lazy(() => import('./event.tsx')),
    permission: 'view',
  },
  {
    path: '/keys',
    component: lazy(() => import('./keys/keys.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.keys'), icon: IconKey, group: 'developers' },
  },
  {
    path: '/webhooks',
    component: lazy(() => import('./webhooks/webhooks.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.webhooks'), icon: IconWebhook, group: 'developers' },
  },
  {
    path: '/webhooks/$id',
    component: lazy(() => import('./webhook.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/deliveries',
    component: lazy(() => import('./deliveries/deliveries.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.deliveries'), icon: IconSend, group: 'developers' },
  },
  {
    path: '/deliveries/$webhook/$event',
    component: lazy(() => import('./delivery.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/users',
    component: lazy(() => import('./users/users.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.users'), icon: IconUsers, group: 'organization' },
  },
  {
    path: '/connections',
    component: lazy(() => import('./connections/connections.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.connections'), icon: IconPlugConnected, group: 'organization' },
  },
  {
    path: '/connections/$slug',
    component: lazy(() => import('./connections/connection.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/add-connection',
    component: lazy(() => import('./connections/add-connection.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/go-live',
    component: lazy(() => import('./connections/go-live.tsx')),
    permission: 'manage_organization',
  },
  {
    path: '/changes',
    component: lazy(() => import('./changes/changes.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.changes'), icon: IconShieldCheck, group: 'organization' },
  },
  {
    path: '/settings',
    component: lazy(() => import('./settings/settings.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.settings'), icon: IconSettings, group: 'organization' },
  },
  {
    path: '/audit',
    component: lazy(() => import('./audit.tsx')),
    permission: 'manage_organization',
    nav: { label: t('shell.nav.audit'), icon: IconHistory, group: 'organization' },
  },
  {
    path: '/account',
    component: lazy(() => import('./account/account.tsx')),
    nav: { label: t('shell.user_menu.account'), icon: IconUser, group: 'organization' },
  },
]

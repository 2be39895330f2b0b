import {
  IconAddressBook,
  IconArrowUpRight,
  IconBolt,
  IconCash,
  IconCashBanknote,
  IconDeviceMobile,
  IconFileCheck,
  IconHistory,
  IconHome,
  IconKey,
  IconLink,
  IconListCheck,
  IconMessage,
  IconPlugConnected,
  IconReceipt,
  IconSend,
  IconSettings,
  IconShieldCheck,
  IconUser,
  IconUsers,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import type { Permission } from '../wire.ts'

/** One page of the console. */
export interface Page {
  /** Below `/console`; `$id` is a parameter. */
  path: string
  component: ComponentType
  /** The permission that the page needs. */
  permission?: Permission
  /** True for pages that exist only in the sandbox. */
  sandbox?: boolean
  /** Its entry in the navigation; pages of single objects have none. */
  nav?: { label: string; icon: ComponentType<{ size?: number; stroke?: number }>; group: Group }
}

/** The sections of the navigation, in order. */
export const groups = ['Overview', 'Money in', 'Money out', 'Developers', 'Organization'] as const
export type Group = (typeof groups)[number]

/** All pages, in the order of the navigation. Each is loaded when it is first opened. */
export const pages: Page[] = [
  {
    path: '/',
    component: lazy(() => import('./home/home.tsx')),
    permission: 'view',
    nav: { label: 'Home', icon: IconHome, group: 'Overview' },
  },
  {
    path: '/phone',
    component: lazy(() => import('./phone/phone.tsx')),
    permission: 'view',
    sandbox: true,
    nav: { label: 'Phone', icon: IconDeviceMobile, group: 'Overview' },
  },
  {
    path: '/collectionrequests',
    component: lazy(() => import('./collection-requests/collection-requests.tsx')),
    permission: 'view',
    nav: { label: 'Collection requests', icon: IconCash, group: 'Money in' },
  },
  {
    path: '/collectionrequests/$id',
    component: lazy(() => import('./collection-request.tsx')),
    permission: 'view',
  },
  {
    path: '/payment-links',
    component: lazy(() => import('./payment-links/payment-links.tsx')),
    permission: 'view',
    nav: { label: 'Payment links', icon: IconLink, group: 'Money in' },
  },
  {
    path: '/payment-links/$id',
    component: lazy(() => import('./payment-links/payment-link.tsx')),
    permission: 'view',
  },
  {
    path: '/receipts',
    component: lazy(() => import('./receipts/receipts.tsx')),
    permission: 'view',
    nav: { label: 'Receipts', icon: IconFileCheck, group: 'Money in' },
  },
  {
    path: '/collections',
    component: lazy(() => import('./collections/collections.tsx')),
    permission: 'view',
    nav: { label: 'Collections', icon: IconCashBanknote, group: 'Money in' },
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
    nav: { label: 'Contacts', icon: IconAddressBook, group: 'Money in' },
  },
  {
    path: '/contacts/$id',
    component: lazy(() => import('./contact.tsx')),
    permission: 'view',
  },
  {
    path: '/sms',
    component: lazy(() => import('./sms/sms.tsx')),
    permission: 'view',
    nav: { label: 'SMS', icon: IconMessage, group: 'Money in' },
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
    nav: { label: 'Wallets', icon: IconWallet, group: 'Money in' },
  },
  {
    path: '/wallets/$id',
    component: lazy(() => import('./wallet.tsx')),
    permission: 'view',
  },
  {
    path: '/payments',
    component: lazy(() => import('./payments/payments.tsx')),
    permission: 'view',
    nav: { label: 'Payments', icon: IconArrowUpRight, group: 'Money out' },
  },
  {
    path: '/payments/$id',
    component: lazy(() => import('./payment.tsx')),
    permission: 'view',
  },
  {
    path: '/orders',
    component: lazy(() => import('./orders/orders.tsx')),
    permission: 'view',
    nav: { label: 'Orders', icon: IconListCheck, group: 'Money out' },
  },
  {
    path: '/bills',
    component: lazy(() => import('./purchases.tsx')),
    permission: 'pay_bills',
    nav: { label: 'Bills', icon: IconReceipt, group: 'Money out' },
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
    path: '/bills/$id',
    component: lazy(() => import('./purchase.tsx')),
    permission: 'pay_bills',
  },
  {
    path: '/events',
    component: lazy(() => import('./events.tsx')),
    permission: 'view',
    nav: { label: 'Events', icon: IconBolt, group: 'Developers' },
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
    nav: { label: 'API keys', icon: IconKey, group: 'Developers' },
  },
  {
    path: '/webhooks',
    component: lazy(() => import('./webhooks/webhooks.tsx')),
    permission: 'manage_organization',
    nav: { label: 'Webhooks', icon: IconWebhook, group: 'Developers' },
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
    nav: { label: 'Deliveries', icon: IconSend, group: 'Developers' },
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
    nav: { label: 'Users', icon: IconUsers, group: 'Organization' },
  },
  {
    path: '/connections',
    component: lazy(() => import('./connections/connections.tsx')),
    permission: 'manage_organization',
    nav: { label: 'Connections', icon: IconPlugConnected, group: 'Organization' },
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
    nav: { label: 'Changes', icon: IconShieldCheck, group: 'Organization' },
  },
  {
    path: '/settings',
    component: lazy(() => import('./settings/settings.tsx')),
    permission: 'manage_organization',
    nav: { label: 'Settings', icon: IconSettings, group: 'Organization' },
  },
  {
    path: '/audit',
    component: lazy(() => import('./audit.tsx')),
    permission: 'manage_organization',
    nav: { label: 'Audit log', icon: IconHistory, group: 'Organization' },
  },
  {
    path: '/account',
    component: lazy(() => import('./account/account.tsx')),
    nav: { label: 'Your account', icon: IconUser, group: 'Organization' },
  },
]

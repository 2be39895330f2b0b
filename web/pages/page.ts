import type { ComponentType } from 'react'
import type { Permission } from '../wire.ts'

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

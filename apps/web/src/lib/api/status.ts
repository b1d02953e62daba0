import { queryOptions, useQuery } from '@tanstack/react-query'
import { calls, type PublicStatus } from '@tollgate/api'
import i18next from 'i18next'
import { readLocal, writeLocal } from '../browser/local-store.ts'
import { defaultMoneyDisplay, type MoneyDisplay } from '../format/money-display.ts'
import { ApiError, request } from './api-client.ts'

const defaultSystemName = 'Tollgate'
const defaultLogo = '/logo.svg'

/** Mark of a status that this very build of the console stored: those of other versions and other programs on the host have its name, too. */
const markOf = (text: string | null) => import.meta.url + text

/** Returns the facts of this installation from the last visit, so that the shell is right before the call returns. */
export function storedStatus(): PublicStatus | undefined {
  const text = readLocal('status')
  return text !== null && readLocal('status_mark') === markOf(text) ? JSON.parse(text) : undefined
}

/** Keeps the status under the names of the contract (spec accounts §3.7, operations §3.11). */
function storeStatus(status: PublicStatus): void {
  const text = JSON.stringify(status)
  const values = {
    status: text,
    status_mark: markOf(text),
    system_name: status.system_name,
    logo: status.logo,
    footer_html: status.footer_html,
    quota_per_unit: String(status.quota_per_unit),
    display_in_currency: String(status.display_in_currency),
    enable_data_export: String(status.enable_data_export),
    enable_drawing: String(status.enable_drawing),
    enable_task: String(status.enable_task),
    enable_status_page: String(status.enable_status_page),
    mj_notify_enabled: String(status.mj_notify_enabled),
    chats: JSON.stringify(status.chats),
  } as const
  for (const [key, value] of Object.entries(values)) {
    if (readLocal(key as keyof typeof values) !== value) writeLocal(key as keyof typeof values, value)
  }
  if (readLocal('default_collapse_sidebar') === null) {
    writeLocal('default_collapse_sidebar', String(status.default_collapse_sidebar))
  }
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => {
    const status = await request(calls.status.read, { signal }).catch((error: unknown) => {
      throw error instanceof ApiError && error.code !== 'offline'
        ? new ApiError(i18next.t('failure.status'), error.code, error.status)
        : error
    })
    storeStatus(status)
    return status
  },
  staleTime: 60_000,
})

/** Public facts about this installation; what the last visit learnt until the call returns. */
export function useStatus(): PublicStatus | undefined {
  const { data } = useQuery(statusQuery)
  return data ?? storedStatus()
}

/** Decides whether visitors may make accounts of their own. */
export function canRegister(status: PublicStatus | undefined): boolean {
  return status?.register_enabled === true && !status.self_use_mode_enabled
}

export function useSystemName(): string {
  return useStatus()?.system_name || defaultSystemName
}

/** Address of the installation's logo; the product's own when none is set. */
export function useLogo(): string {
  const logo = useStatus()?.logo
  return logo && logo !== '/logo.png' ? logo : defaultLogo
}

/** Returns the display of money at this installation. */
export function useMoneyDisplay(): MoneyDisplay {
  const status = useStatus()
  if (!status || !(status.quota_per_unit > 0)) return defaultMoneyDisplay
  return { quotaPerUnit: status.quota_per_unit, inCurrency: status.display_in_currency }
}

/** Returns the address for programs' calls: the configured address, else the one this page came from. */
export function useServerAddress(): string {
  const configured = useStatus()?.server_address.replace(/\/+$/, '')
  return configured || window.location.origin
}

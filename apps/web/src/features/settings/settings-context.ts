import { createContext, useContext } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { lockOf, ShownKey } from './model/catalogue.ts'
import type { SettingTexts } from './model/texts.ts'

/** What every field of the page needs. */
export interface SettingsContextValue {
  readonly form: UseFormReturn<SettingTexts>
  /** Why this person cannot change the setting, as a text's key; `undefined` where they can. */
  readonly lockOf: (key: ShownKey) => ReturnType<typeof lockOf>
  readonly changed: ReadonlySet<ShownKey>
  /** Whether a value of this secret is stored. */
  readonly isSet: (key: ShownKey) => boolean
}

const Context = createContext<SettingsContextValue | undefined>(undefined)

export const SettingsProvider = Context.Provider

export function useSettings(): SettingsContextValue {
  const value = useContext(Context)
  if (!value) throw new Error('A setting is drawn outside the settings page')
  return value
}

import { createContext, useContext } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { lockOf, VisibleKey } from './model/catalogue.ts'
import type { SettingTexts } from './model/texts.ts'

/** Facts for every field of the page. */
export interface SettingsContextValue {
  readonly form: UseFormReturn<SettingTexts>
  /** Returns the reason for which this person cannot change the setting, as a text's key; `undefined` where they can. */
  readonly lockOf: (key: VisibleKey) => ReturnType<typeof lockOf>
  readonly changed: ReadonlySet<VisibleKey>
  /** Decides whether a value of this secret is stored. */
  readonly isSet: (key: VisibleKey) => boolean
}

const Context = createContext<SettingsContextValue | undefined>(undefined)

export const SettingsProvider = Context.Provider

export function useSettings(): SettingsContextValue {
  const value = useContext(Context)
  if (!value) throw new Error('A setting is drawn outside the settings page')
  return value
}

import type { ShownKey } from '../model/catalogue.ts'

/** What the control of every kind of setting gets. */
export interface SettingControlProps {
  readonly setting: ShownKey
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (value: string) => void
  /** The focus left the control: what was typed is checked. */
  readonly onLeave: () => void
}

import { Pencil, Plus, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWindowText } from '../../../../components/prices/window-text.ts'
import { Button, IconButton } from '../../../../components/ui/button.tsx'
import { Notice } from '../../../../components/ui/tag.tsx'
import { lazyComponent } from '../../../../lib/lazy-component.ts'
import { JsonToggle, useSettingText } from '../../fields/json-toggle.tsx'
import {
  readTimeEntries,
  type TimeEntries,
  type TimeSetting,
  withoutTimeEntry,
} from '../../model/time-entries.ts'
import { useSettings } from '../../settings-context.ts'

const TimeSheet = lazyComponent(() => import('./time-sheet.tsx'), 'TimeSheet')

/** Factors by time, a row for each model or beginning of names. Changes wait for the save button of the page. */
export function TimeTable({ setting }: { readonly setting: TimeSetting }) {
  const { t } = useTranslation('settings')
  const { text, error, change } = useSettingText(setting)
  const lock = useSettings().lockOf(setting)
  const entries = readTimeEntries(setting, text)
  return (
    <section aria-label={t(`field.${setting}.label`)} className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">{t(`field.${setting}.label`)}</h3>
      <p className="text-muted text-xs">{t(`field.${setting}.hint`)}</p>
      {lock && <Notice tone="info">{t(lock)}</Notice>}
      <JsonToggle keys={[setting]} readable={entries !== undefined} problems={[error]}>
        {() =>
          entries && (
            <EntryRows
              setting={setting}
              entries={entries}
              onChange={lock === undefined ? change : undefined}
            />
          )
        }
      </JsonToggle>
    </section>
  )
}

interface EntryRowsProps {
  readonly setting: TimeSetting
  readonly entries: TimeEntries
  /** `undefined`: entries are shown, and not changed. */
  readonly onChange: ((entries: TimeEntries) => void) | undefined
}

function EntryRows({ setting, entries, onChange }: EntryRowsProps) {
  const { t } = useTranslation(['prices', 'settings'])
  const [open, setOpen] = useState<{ readonly name: string | undefined }>()
  const names = Object.keys(entries)
  return (
    <>
      {names.length === 0 && <p className="text-muted text-sm">{t('entry.none')}</p>}
      {names.length > 0 && (
        <div className="edge-shadows overflow-x-auto">
          <table className="w-full text-sm">
            <caption className="sr-only">{t(`settings:field.${setting}.label`)}</caption>
            <thead className="border-b text-left text-muted text-xs">
              <tr>
                <th className="pr-3 pb-1.5 font-medium">{t('entry.name')}</th>
                <th className="pr-3 pb-1.5 font-medium">{t('entry.periods')}</th>
                <th className="w-20 pb-1.5">
                  <span className="sr-only">{t('entry.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {names.map((name) => (
                <EntryRow
                  key={name}
                  name={name}
                  entries={entries}
                  actions={
                    onChange && {
                      edit: () => setOpen({ name }),
                      remove: () => onChange(withoutTimeEntry(entries, name)),
                    }
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {onChange && (
        <Button size="sm" className="self-start" icon={Plus} onClick={() => setOpen({ name: undefined })}>
          {t('entry.add')}
        </Button>
      )}
      <Suspense>
        {open && onChange && (
          <TimeSheet
            setting={setting}
            name={open.name}
            entries={entries}
            onChange={onChange}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

interface EntryRowProps {
  readonly name: string
  readonly entries: TimeEntries
  readonly actions: { readonly edit: () => void; readonly remove: () => void } | undefined
}

function EntryRow({ name, entries, actions }: EntryRowProps) {
  const { t } = useTranslation('prices')
  const windowText = useWindowText()
  const { zone, windows = [] } = entries[name] ?? {}
  return (
    <tr className="border-b align-top last:border-b-0">
      <th scope="row" className="max-w-64 truncate py-1 pr-3 text-left font-mono font-normal text-xs">
        {name}
      </th>
      <td className="figures py-1 pr-3">
        {windows.map((window, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two windows may be alike
          <span key={index} className="block">
            {windowText(window)} {t('times', { ratio: window.ratio })}
          </span>
        ))}
        <span className="block text-muted text-xs">{zone}</span>
      </td>
      <td className="whitespace-nowrap py-1 text-right">
        {actions && (
          <>
            <IconButton label={t('entry.edit', { name })} icon={Pencil} size="sm" onClick={actions.edit} />
            <IconButton
              label={t('entry.remove', { name })}
              icon={Trash2}
              size="sm"
              onClick={actions.remove}
            />
          </>
        )}
      </td>
    </tr>
  )
}

import { weekdays } from '@tollgate/api'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field/choice.tsx'
import { ErrorText, Field } from '../ui/field/field.tsx'
import { Input } from '../ui/field/input.tsx'
import {
  maxWindows,
  newWindow,
  type TimeForm,
  type TimeProblem,
  type WindowForm,
  windowProblems,
  zoneProblem,
} from './time-form.ts'

export interface TimeWindowsProps {
  readonly times: TimeForm
  /** Set once problems are drawn: not before the first attempt to save. */
  readonly isChecked: boolean
  readonly onChange: (times: TimeForm) => void
}

/** Factors by time of day and day of week, a row each; the first row that holds a moment counts. */
export function TimeWindows({ times, isChecked, onChange }: TimeWindowsProps) {
  const { t } = useTranslation('prices')
  const { windows } = times
  const set = (change: Partial<TimeForm>) => onChange({ ...times, ...change })
  return (
    <>
      {windows.length > 0 && (
        <ZoneField times={times} isChecked={isChecked} onChange={(zone) => set({ zone })} />
      )}
      {windows.map((window, index) => (
        <WindowRow
          // Rows have no name but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: a row that is removed takes its values along
          key={index}
          index={index}
          window={window}
          isChecked={isChecked}
          onChange={(next) => set({ windows: windows.with(index, next) })}
          onRemove={() => set({ windows: windows.toSpliced(index, 1) })}
        />
      ))}
      <Button
        size="sm"
        className="self-start"
        icon={Plus}
        disabled={windows.length >= maxWindows}
        onClick={() => set({ windows: [...windows, newWindow] })}
      >
        {t('period.add')}
      </Button>
    </>
  )
}

interface ZoneFieldProps {
  readonly times: TimeForm
  readonly isChecked: boolean
  readonly onChange: (zone: string) => void
}

function ZoneField({ times, isChecked, onChange }: ZoneFieldProps) {
  const { t } = useTranslation('prices')
  const message = useMessage(isChecked ? zoneProblem(times) : undefined)
  return (
    <Field label={t('period.zone')} hint={t('period.zoneHint')} error={message} required>
      <Input value={times.zone} list="time-zones" onChange={(event) => onChange(event.target.value.trim())} />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Field>
  )
}

interface WindowRowProps {
  readonly index: number
  readonly window: WindowForm
  readonly isChecked: boolean
  readonly onChange: (window: WindowForm) => void
  readonly onRemove: () => void
}

function WindowRow({ index, window, isChecked, onChange, onRemove }: WindowRowProps) {
  const { t } = useTranslation('prices')
  const problems = isChecked ? windowProblems(window) : {}
  const text = { window, problems, onChange }
  return (
    <fieldset className="flex flex-col gap-3 rounded border px-3 py-2.5">
      <legend className="px-1 text-muted text-xs">{t('period.row', { number: index + 1 })}</legend>
      <DayBoxes window={window} problem={problems.days} onChange={onChange} />
      <div className="grid grid-cols-3 gap-3">
        <WindowField name="from" {...text} />
        <WindowField name="to" {...text} />
        <WindowField name="ratio" {...text} />
      </div>
      <Button variant="ghost" size="sm" className="self-start" icon={Trash2} onClick={onRemove}>
        {t('period.remove')}
      </Button>
    </fieldset>
  )
}

interface DayBoxesProps extends Pick<WindowRowProps, 'window' | 'onChange'> {
  readonly problem: TimeProblem | undefined
}

/** Monday first, as weeks are read. */
const days = [...weekdays.slice(1), ...weekdays.slice(0, 1)]

function DayBoxes({ window, problem, onChange }: DayBoxesProps) {
  const { t } = useTranslation('prices')
  const message = useMessage(problem)
  return (
    <div>
      <div className="flex flex-wrap gap-x-4">
        {days.map((day) => (
          <Checkbox
            key={day}
            label={t(`weekday.${day}`)}
            checked={window.days.includes(day)}
            onCheckedChange={(isOn) =>
              onChange({
                ...window,
                days: weekdays.filter((each) => (each === day ? isOn : window.days.includes(each))),
              })
            }
          />
        ))}
      </div>
      <ErrorText>{message}</ErrorText>
    </div>
  )
}

interface WindowFieldProps extends Pick<WindowRowProps, 'window' | 'onChange'> {
  readonly name: 'from' | 'to' | 'ratio'
  readonly problems: ReturnType<typeof windowProblems>
}

function WindowField({ name, window, problems, onChange }: WindowFieldProps) {
  const { t } = useTranslation('prices')
  return (
    <Field label={t(`period.${name}`)} error={useMessage(problems[name])}>
      <Input
        value={window[name]}
        {...(name === 'ratio' ? { inputMode: 'decimal', suffix: '×' } : { placeholder: 'HH:MM' })}
        onChange={(event) => onChange({ ...window, [name]: event.target.value.trim() })}
      />
    </Field>
  )
}

function useMessage(problem: TimeProblem | undefined): string | undefined {
  const { t } = useTranslation('prices')
  return problem && t(`period.problem.${problem}`)
}

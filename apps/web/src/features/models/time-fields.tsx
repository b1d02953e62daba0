import { weekdays } from '@tollgate/api'
import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  maxWindows,
  newWindow,
  type TimeForm,
  type TimeProblem,
  type WindowForm,
  windowProblems,
  zoneProblem,
} from '../../components/prices/time-form.ts'
import { Button } from '../../components/ui/button.tsx'
import { FormSection } from '../../components/ui/card.tsx'
import { Checkbox } from '../../components/ui/field/choice.tsx'
import { ErrorText, Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import type { ModelRow } from './model-rows.ts'
import type { PriceForm } from './price-form.ts'

interface TimeFieldsProps {
  readonly row: ModelRow
  readonly form: UseFormReturn<PriceForm>
}

/** Prices by time of day and day of week, a row each; the first row that holds a moment counts. */
export function TimeFields({ row, form }: TimeFieldsProps) {
  const { t } = useTranslation('models')
  const times = useWatch({ control: form.control, name: 'times' }) as TimeForm
  const isChecked = form.formState.submitCount > 0
  const { windows } = times
  const set = (change: Partial<TimeForm>) =>
    form.setValue('times', { ...times, ...change }, { shouldDirty: true, shouldValidate: isChecked })
  const replace = (index: number, window: WindowForm) => set({ windows: windows.with(index, window) })
  return (
    <FormSection
      id="time-prices"
      title={t('times.title')}
      description={t('times.description')}
      folded={row.time_prices === undefined}
    >
      {row.times_of !== undefined && (
        <p className="text-muted text-xs">{t('times.inherited', { entry: row.times_of })}</p>
      )}
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
          onChange={(next) => replace(index, next)}
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
        {t('times.add')}
      </Button>
    </FormSection>
  )
}

interface ZoneFieldProps {
  readonly times: TimeForm
  readonly isChecked: boolean
  readonly onChange: (zone: string) => void
}

function ZoneField({ times, isChecked, onChange }: ZoneFieldProps) {
  const { t } = useTranslation('models')
  const message = useMessage(isChecked ? zoneProblem(times) : undefined)
  return (
    <Field label={t('times.zone')} hint={t('times.zoneHint')} error={message} required>
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
  const { t } = useTranslation('models')
  const problems = isChecked ? windowProblems(window) : {}
  const text = { window, problems, onChange }
  return (
    <fieldset className="flex flex-col gap-3 rounded border px-3 py-2.5">
      <legend className="px-1 text-muted text-xs">{t('times.row', { number: index + 1 })}</legend>
      <DayBoxes window={window} problem={problems.days} onChange={onChange} />
      <div className="grid grid-cols-3 gap-3">
        <WindowField name="from" {...text} />
        <WindowField name="to" {...text} />
        <WindowField name="ratio" {...text} />
      </div>
      <Button variant="ghost" size="sm" className="self-start" icon={Trash2} onClick={onRemove}>
        {t('times.remove')}
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
  const { t } = useTranslation(['models', 'prices'])
  const message = useMessage(problem)
  return (
    <div>
      <div className="flex flex-wrap gap-x-4">
        {days.map((day) => (
          <Checkbox
            key={day}
            label={t(`prices:weekday.${day}`)}
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
  const { t } = useTranslation('models')
  return (
    <Field label={t(`times.${name}`)} error={useMessage(problems[name])}>
      <Input
        value={window[name]}
        {...(name === 'ratio' ? { inputMode: 'decimal', suffix: '×' } : { placeholder: 'HH:MM' })}
        onChange={(event) => onChange({ ...window, [name]: event.target.value.trim() })}
      />
    </Field>
  )
}

function useMessage(problem: TimeProblem | undefined): string | undefined {
  const { t } = useTranslation('models')
  return problem && t(`times.problem.${problem}`)
}

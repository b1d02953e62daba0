import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormSheet, TextField, useSaveForm } from '../../../../components/form/index.ts'
import type { TimeForm } from '../../../../components/prices/time-form.ts'
import { TimeWindows } from '../../../../components/prices/time-windows.tsx'
import { ErrorText } from '../../../../components/ui/field/field.tsx'
import { clockHere } from '../../../../lib/format/reader-clock.ts'
import {
  startTimeEntry,
  type TimeEntries,
  type TimeEntryForm,
  type TimeSetting,
  timeEntryProblems,
  withTimeEntry,
} from '../../model/time-entries.ts'

interface TimeSheetProps {
  readonly setting: TimeSetting
  /** Left out for a new entry. */
  readonly name: string | undefined
  readonly entries: TimeEntries
  readonly onChange: (entries: TimeEntries) => void
  readonly onClose: () => void
}

/** The factors by time of one model, or of all whose names begin alike. */
export function TimeSheet({ setting, name, entries, onChange, onClose }: TimeSheetProps) {
  const { t } = useTranslation('prices')
  const [start] = useState(() => startTimeEntry(name, entries, clockHere().time_zone))
  const saveForm = useSaveForm<TimeEntryForm, void>({
    start,
    check(values) {
      const isTaken = (typed: string) => name === undefined && Object.hasOwn(entries, typed)
      const { name: ofName, times } = timeEntryProblems(values, isTaken)
      return {
        ...(ofName && { name: t(`entry.problem.${ofName}`) }),
        ...(times && { times: times === 'wrong' ? t('period.wrong') : t(`entry.problem.${times}`) }),
      }
    },
    // Nothing is sent: the page's own save button does that.
    save: async (values) => onChange(withTimeEntry(entries, values)),
    onSaved: onClose,
  })
  const { form } = saveForm
  const times = useWatch({ control: form.control, name: 'times' }) as TimeForm
  const isChecked = form.formState.submitCount > 0
  return (
    <FormSheet
      saveForm={saveForm}
      title={t(name === undefined ? 'entry.add' : 'entry.title')}
      submitLabel={t('entry.apply')}
      onClose={onClose}
    >
      <TextField<TimeEntryForm>
        form={form}
        name="name"
        label={t('entry.name')}
        hint={t(setting === 'TimeCost' ? 'entry.upstreamNameHint' : 'entry.nameHint')}
        required
        input={{ mono: true, disabled: name !== undefined }}
      />
      <TimeWindows
        times={times}
        isChecked={isChecked}
        onChange={(next) => form.setValue('times', next, { shouldDirty: true, shouldValidate: isChecked })}
      />
      <ErrorText>{times.windows.length === 0 ? form.formState.errors.times?.message : undefined}</ErrorText>
    </FormSheet>
  )
}

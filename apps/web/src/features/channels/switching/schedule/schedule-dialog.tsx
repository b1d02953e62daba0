import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, calls, channelStatuses } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { DateTimePicker } from '../../../../components/ui/date/date-time-picker.tsx'
import { Field } from '../../../../components/ui/field/field.tsx'
import { Dialog } from '../../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../../components/ui/tag.tsx'
import { request } from '../../../../lib/api/api-client.ts'
import { channelApi } from '../../api.ts'

interface ScheduleDialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

const hour = 3600

/** Asks when a channel is switched off and on again; what is planned already can be changed or cancelled. */
export function ScheduleDialog({ channel, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation('channels')
  const { id, name, schedule } = channel
  const isOn = channel.status === channelStatuses.enabled
  const [off, setOff] = useState(schedule?.off_at || undefined)
  const [on, setOn] = useState(schedule?.on_at || undefined)
  const save = useScheduleCall(
    () =>
      request(calls.channels.schedule, {
        params: { id },
        body: { off_at: (isOn && off) || 0, on_at: on ?? 0 },
      }),
    t('schedule.saved', { name }),
    onClose,
  )
  const cancel = useScheduleCall(
    () => request(calls.channels.cancelSchedule, { params: { id } }),
    t('schedule.cancelled', { name }),
    onClose,
  )
  const error = save.error ?? cancel.error
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('schedule.title', { name })}
      description={t('schedule.description')}
      footer={
        <>
          {schedule ? (
            <Button className="mr-auto" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('schedule.cancel')}
            </Button>
          ) : (
            <Button onClick={onClose}>{t('key.cancel')}</Button>
          )}
          <Button
            variant="primary"
            loading={save.isPending}
            disabled={(!isOn || off === undefined) && on === undefined}
            onClick={() => save.mutate()}
          >
            {t('schedule.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {error && <Notice tone="bad">{error.message}</Notice>}
        {isOn && <OffField value={off} onChange={setOff} />}
        <OnField value={on} onChange={setOn} off={isOn ? off : undefined} />
      </div>
    </Dialog>
  )
}

interface TimeFieldProps {
  /** Unix seconds. */
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

function later(hours: number, from = Date.now() / 1000): number {
  return Math.round(from) + hours * hour
}

function OffField({ value, onChange }: TimeFieldProps) {
  const { t } = useTranslation('channels')
  const inHours = (count: number) => ({ label: t('schedule.inHours', { count }), at: () => later(count) })
  const never = { label: t('schedule.never'), at: () => undefined }
  return (
    <Field label={t('schedule.offAt')}>
      <DateTimePicker value={value} onValueChange={onChange} shortcuts={[inHours(1), inHours(8), never]} />
    </Field>
  )
}

/** @param off time at which the channel goes off: shortcuts count from there */
function OnField({ value, onChange, off }: TimeFieldProps & { readonly off: number | undefined }) {
  const { t } = useTranslation('channels')
  const after = (count: number) => ({
    label: t('schedule.afterHours', { count }),
    at: () => later(count, off),
  })
  const never = { label: t('schedule.never'), at: () => undefined }
  return (
    <Field label={t('schedule.onAt')} hint={t('schedule.onHint')}>
      <DateTimePicker value={value} onValueChange={onChange} shortcuts={[after(1), after(8), never]} />
    </Field>
  )
}

/** A call about the schedule: its failure is said in the dialog, its success in a message. */
function useScheduleCall(send: () => Promise<Channel>, successMessage: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess(changed) {
      channelApi.lists.show(client, changed)
      onDone()
    },
    meta: { successMessage, silent: true },
  })
}

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
  const later = (hours: number, from = Date.now() / 1000) => Math.round(from) + hours * hour
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
        {isOn && (
          <Field label={t('schedule.offAt')}>
            <DateTimePicker
              value={off}
              onValueChange={setOff}
              shortcuts={[
                { label: t('schedule.inHours', { count: 1 }), at: () => later(1) },
                { label: t('schedule.inHours', { count: 8 }), at: () => later(8) },
                { label: t('schedule.never'), at: () => undefined },
              ]}
            />
          </Field>
        )}
        <Field label={t('schedule.onAt')} hint={t('schedule.onHint')}>
          <DateTimePicker
            value={on}
            onValueChange={setOn}
            shortcuts={[
              { label: t('schedule.afterHours', { count: 1 }), at: () => later(1, isOn ? off : undefined) },
              { label: t('schedule.afterHours', { count: 8 }), at: () => later(8, isOn ? off : undefined) },
              { label: t('schedule.never'), at: () => undefined },
            ]}
          />
        </Field>
      </div>
    </Dialog>
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

import { openBeside } from '../processes/open-beside.ts'

const second = 1000

/** Writes drawings and tasks into the store of a gateway, as vendors would have finished them: for pages alone. */
export function writeTasks(dataDir: string, userId: number, at: number): void {
  const database = openBeside(dataDir)
  const insert = database.prepare(
    `insert into tasks (platform, action, upstream_id, user_id, token_id, channel_id, "group", model, hold_id, quota,
      status, progress, submitted_ms, started_ms, finished_ms, updated_ms, prompt, fail_reason, result, properties,
      reference, upstream_model, key_hash, charge)
     values (?, ?, ?, ?, 1, 1, 'default', 'm', '', 10, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, '', '', '', '')`,
  )
  const image = JSON.stringify({ image_url: '/logo.png' })
  const run = (...row: (string | number)[]) => insert.run(...row)
  run('mj', 'IMAGINE', 'mj-1', userId, 'SUCCESS', 100, at, at, at + 30 * second, at, 'a red fox', '', image)
  run('mj', 'UPSCALE', 'mj-2', userId, 'FAILURE', 40, at, at, at + 80 * second, at, '', 'banned prompt', '')
  run('suno', 'MUSIC', 'suno-1', userId, 'IN_PROGRESS', 50, at, at, 0, at, 'a slow waltz', '', '')
  run('suno', 'LYRICS', 'suno-2', userId, 'SUCCESS', 100, at, at, at + 20 * second, at, 'rain', '', '')
  database.close()
}

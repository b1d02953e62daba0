import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Sums over many blocks of the log index. A trigger forgets those of a block that is cut or cleared: the version before, which knows
 * of no spans, clears the log beside this one.
 */
export function logSpans({ kind, integer, bytes, tableEnd }: SqlDialect): string[] {
  return [
    `create table log_spans (
      id ${integer} not null primary key,
      last_block ${integer} not null,
      count ${integer} not null,
      calls ${integer} not null,
      charged ${integer} not null,
      min_at ${integer} not null,
      max_at ${integer} not null
    ) ${tableEnd}`,
    `create table log_span_parts (
      id ${integer} not null primary key,
      data ${bytes} not null
    ) ${tableEnd}`,
    ...(kind === 'sqlite' ? sqliteTrigger : postgresTrigger),
  ]
}

/** Number of parts, the same as `partsPerSpan` in the log index. */
const partsPerSpan = 2048

const spanOfBlock = 'select id from log_spans where id <= old.id and last_block >= old.id'

const forget = `
  delete from log_span_parts
    where id >= (${spanOfBlock}) * ${partsPerSpan} and id < ((${spanOfBlock}) + 1) * ${partsPerSpan};
  delete from log_spans where id <= old.id and last_block >= old.id;`

const sqliteTrigger = [`create trigger forget_log_span after delete on log_blocks begin ${forget} end`]

const postgresTrigger = [
  `create function forget_log_span() returns trigger language plpgsql as $$ begin ${forget} return null; end $$`,
  `create trigger forget_log_span after delete on log_blocks for each row execute function forget_log_span()`,
]

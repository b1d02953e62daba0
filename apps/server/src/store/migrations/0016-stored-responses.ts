import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** Answers of the Responses API that their callers may come back to, and where the items of their outputs are found. */
export function storedResponses({ integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table stored_responses (
      user_id ${integer} not null,
      token_id ${integer} not null,
      id text not null,
      previous_id text not null,
      bytes ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      sealed text not null,
      primary key (user_id, token_id, id)
    ) ${tableEnd}`,
    'create index stored_responses_by_end on stored_responses (expires_at)',
    // With the sizes, so that what one user has is summed from the index alone.
    'create index stored_responses_by_user on stored_responses (user_id, created_at, bytes)',
    `create table stored_response_items (
      user_id ${integer} not null,
      token_id ${integer} not null,
      item_id text not null,
      response_id text not null,
      primary key (user_id, token_id, item_id)
    ) ${keyedTableEnd}`,
    'create index stored_response_items_by_response on stored_response_items (user_id, token_id, response_id)',
  ]
}

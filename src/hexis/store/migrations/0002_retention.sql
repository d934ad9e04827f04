-- The newest 100,000 rows of the audit are never removed, by nobody; older ones may be trimmed.
DROP TRIGGER audit_is_not_shortened;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
WHEN OLD.sequence > (SELECT max(sequence) FROM audit) - 100000
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE INDEX audit_refused_calls ON audit (sequence) WHERE decision = 'refused' AND execution_id = '';
CREATE INDEX consumed_turn_by_confirmation ON consumed_turn (confirmation_id);
CREATE INDEX execution_by_principal ON execution (principal, requester)
    WHERE state = 'awaiting_confirmation';

-- Lets a role that owns nothing serve the platform. Run it as the owner of the tables, behind the first start, which creates them, and behind
-- each start that changes them: psql --variable=role=agent_monitor_service --file=grants.sql <address>
GRANT USAGE ON SCHEMA public TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"role";
-- Append-only: triggers refuse it to the owner as well, and this role can't remove them.
REVOKE UPDATE, DELETE ON audit, disposition, hold, hold_release, loss, sampled_answer FROM :"role";
REVOKE INSERT, UPDATE, DELETE ON layout FROM :"role";

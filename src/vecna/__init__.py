"""Knowledge shared between agents. Vecna is authoritative for what they learned."""

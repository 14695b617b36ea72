#include "again.h"
